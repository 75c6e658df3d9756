/** What is wrong with a configuration, and where. Never quotes a value, which may be a secret. */
export interface ConfigFault {
  readonly file: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** As editors and terminals know how to jump to. */
export function toFaultLine({ file, line, column, message }: ConfigFault): string {
  return `${file}:${line}:${column}: ${message}`;
}
