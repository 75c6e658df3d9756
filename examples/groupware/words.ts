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

/** Whether every word of the query is a word of the text, or the beginning of one. No words match nothing. */
export function hasWords(text: string, query: string): boolean {
  const words = toWords(text);
  const all = toWords(query);
  return all.length > 0 && all.every((wanted) => words.some((word) => word.startsWith(wanted)));
}

/**
 * A query for SQLite's full-text index; words are quoted, so that none is an operator. Accents are left
 * to the index, which cuts and folds words of the query as it did those of the texts.
 */
export function toMatch(query: string): string {
  const words = query.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word}"*`)
    .join(' ');
}
