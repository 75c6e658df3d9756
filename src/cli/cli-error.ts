/** An error that the user can fix; shown as one line, exit code 2. */
export class CliError extends Error {
  override readonly name = 'CliError';
}
