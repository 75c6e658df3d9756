/** Splits names of any style into lower-case words, and strips the endings of verbs and nouns. */

const CAPITAL = /[A-Z]/;
const WORDS = /[a-z0-9]+/g;
const BOUNDARIES = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;

/**
 * In plain letters: full width becomes half, accents and characters that show nothing go. Letters of
 * other scripts stay.
 */
export function toPlainLetters(text: string): string {
  if (PLAIN.test(text)) return text;
  const plain = text.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}]/gu, '');
  return plain.replaceAll(/[ıßøæœłđ]/gi, (letter) => LETTERS[letter.toLowerCase()] ?? letter);
}
const PLAIN = /^[ -~]*$/;
/** Letters of Latin alphabets that have no accent to lose. */
const LETTERS: Readonly<Record<string, string>> = {
  ı: 'i',
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
};

/** Whether it has letters that no word of ours has: another script, or letters that look like ours. */
export function hasForeignLetters(text: string): boolean {
  return !PLAIN.test(text) && /[^\P{L}a-z]/iu.test(toPlainLetters(text));
}

/** Splits `deleteUser`, `delete_user`, `users.delete` and `acme-deleteHTTPUser` into words. */
export function toWords(name: string): readonly string[] {
  const start = toPlainLetters(name.slice(0, 256));
  const spaced = CAPITAL.test(start) ? start.replaceAll(BOUNDARIES, ' ') : start;
  return spaced.toLowerCase().match(WORDS) ?? [];
}

/** The singular of a noun. */
export function toSingular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word) || word.length < 4) return word;
  if (/(?:sses|xes|ches|shes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/** Possible base forms of a verb: `deletes`, `deleting` → `delete`. */
export function toStems(word: string): readonly string[] {
  const stems = [word];
  if (word.endsWith('ies')) stems.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('es')) stems.push(word.slice(0, -2));
  if (word.endsWith('s')) stems.push(word.slice(0, -1));
  if (word.endsWith('ing') && word.length > 5) {
    const stem = word.slice(0, -3);
    stems.push(stem, `${stem}e`);
    if (stem.at(-1) === stem.at(-2)) stems.push(stem.slice(0, -1));
  }
  return stems;
}
