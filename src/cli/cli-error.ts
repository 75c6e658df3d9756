/** Errors that are shown as one line, without a stack. */

/** What was given is wrong: an option, an argument, or a file that they name. Exit code 2. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
}

/** What was given is right and could not be done: a server, a disk or a ledger failed. Exit code 1. */
export class CliFailure extends CliError {
  override readonly name = 'CliFailure';
}
