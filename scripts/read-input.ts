/** What a script was given, read: a mistake in it is one line and exit code 2, not a stack trace. */
export function readInput<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}
