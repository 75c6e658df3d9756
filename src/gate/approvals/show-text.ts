/**
 * Makes every character visible that a reader could miss, or that could move, hide or reorder what
 * stands around it. Nothing is lost: `fromShown` gives the text back.
 */

/**
 * Controls, formats, halves of pairs, private use and unassigned; separators but the plain space;
 * whatever is ignorable when drawn; marks that enclose; the blank Braille cell; and the brackets
 * that make the markers.
 */
const UNSEEN =
  /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Me}\u{2800}\u{27E8}\u{27E9}]--[\u{20}]]/gv;

const MARKER = /\u{27E8}U\+([\dA-F]{4,6})\u{27E9}/gu;

export function showText(text: string): string {
  return text.replace(UNSEEN, toMarker);
}

/** Undoes `showText`. */
export function fromShown(shown: string): string {
  return shown.replace(MARKER, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

/** `⟨U+202E⟩` */
function toMarker(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `\u27E8U+${hex.padStart(4, '0')}\u27E9`;
}

/** Finds words that pass for Latin but hold letters of another alphabet that look alike. */
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
