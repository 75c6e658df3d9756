/**
 * Text that every store keeps as it is. PostgreSQL holds no NUL, and half of a surrogate pair has no UTF-8;
 * either may be in a name that somebody else has chosen.
 */

export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** With the replacement character in place of what no store keeps. */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\u{fffd}');
}
