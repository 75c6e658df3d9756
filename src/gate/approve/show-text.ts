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
export function toMarker(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `\u27E8U+${hex.padStart(4, '0')}\u27E9`;
}
