/** Words of a text or a query, as both backends match them. */

/** Lower case, without accents. */
export function toWords(text: string): readonly string[] {
  return (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Whether every word of the query is a word of the text, or the beginning of one. */
export function hasWords(text: string, query: string): boolean {
  const words = toWords(text);
  return toWords(query).every((wanted) => words.some((word) => word.startsWith(wanted)));
}

/** A query for SQLite's full-text index; words are quoted, so that none is an operator. */
export function toMatch(query: string): string {
  return toWords(query)
    .map((word) => `"${word}"*`)
    .join(' ');
}
