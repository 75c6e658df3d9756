/** Finds words that pass for Latin but hold letters of another alphabet that look alike. */
import { showText, toMarker } from './show-text.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu;

export function mixedScripts(text: string): readonly string[] {
  const words = text.match(WORD) ?? [];
  // `search`, because a global expression remembers where `test` left off.
  return words.filter((word) => LATIN.test(word) && word.search(LOOKALIKE) !== -1);
}

/** The word with its foreign letters as code points, so that they can be told apart. */
export function spellOut(word: string): string {
  return showText(word).replace(LOOKALIKE, toMarker);
}
