/** A part of a text as a reason quotes it: whole words, and no more of them than a line holds. Pure. */

const MOST = 60;
/** Of scripts that put spaces between words; in others there is no end to look for. */
const IN_WORD = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}\p{N}_'’]`;
const ENDS_IN_WORD = new RegExp(`${IN_WORD}{1,${MOST}}$`, 'u');
const BEGINS_IN_WORD = new RegExp(`^${IN_WORD}{1,${MOST}}`, 'u');

/** A pattern may match the stem of a word, of which the rest is quoted too. */
export function quoteWords(text: string, start = 0, end: number = text.length): string {
  const match = text.slice(start, end);
  const before = text.slice(Math.max(0, start - MOST), start);
  const head = BEGINS_IN_WORD.test(match) ? (ENDS_IN_WORD.exec(before)?.[0] ?? '') : '';
  const after = text.slice(end, end + MOST);
  const tail = ENDS_IN_WORD.test(match) ? (BEGINS_IN_WORD.exec(after)?.[0] ?? '') : '';
  return `"${shorten(`${head}${match}${tail}`.trim())}"`;
}

function shorten(text: string): string {
  if (text.length <= MOST) return text;
  const kept = text.slice(0, MOST);
  const isCut = ENDS_IN_WORD.test(kept) && BEGINS_IN_WORD.test(text.slice(MOST));
  const whole = isCut ? kept.replace(ENDS_IN_WORD, '') : kept;
  return `${(whole === '' ? kept : whole).toWellFormed().trimEnd()}…`;
}
