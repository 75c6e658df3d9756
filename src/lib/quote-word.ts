/** A word as a POSIX shell takes it: bare where nothing in it means anything to one, in quotes otherwise. */

const PLAIN = /^[\w@%+=:,./-]+$/;

export function quoteWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
