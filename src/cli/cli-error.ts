/** A failure that the person at the terminal can mend; shown as one line, exit code 2. */
export class CliError extends Error {
  override readonly name = 'CliError';
}
