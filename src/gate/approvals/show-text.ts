/**
 * Makes every character visible that a reader could miss, or that could move, hide or reorder what
 * stands around it. Nothing is lost: `fromShown` gives the text back.
 */

/**
 * Controls, formats, halves of pairs, private use and unassigned; separators but the plain space;
 * whatever is ignorable when drawn; marks that enclose, and those that go on any letter or digit; the
 * blank Braille cell; and the brackets that make the markers.
 */
const UNSEEN =
  /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Me}[\p{M}&&\p{Script=Inherited}]\u{2800}\u{27E8}\u{27E9}]--[\u{20}]]/gv;

/** More marks on one letter than two are drawn over what stands around it. */
const PILED = /(?<=\p{M}{2})\p{M}/gu;

/**
 * Runs of what is written from right to left, as the blocks of Unicode reserve it; digits by themselves.
 * Each run is isolated, so that it cannot change the order of the digits and words around it.
 */
const RIGHT_TO_LEFT = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`;
const RUN = new RegExp(`[[${RIGHT_TO_LEFT}]--\\p{Nd}]+|[[${RIGHT_TO_LEFT}]&&\\p{Nd}]+`, 'gv');
export const ISOLATE = '\u2067';
export const ISOLATE_END = '\u2069';
const ISOLATES = /[\u2067\u2069]/g;

const MARKER = /\u{27E8}U\+([\dA-F]{4,6})\u{27E9}/gu;

/** The only isolates in it are its own: those of the text are markers. */
export function showText(text: string): string {
  const seen = text.replace(UNSEEN, toMarker).replace(PILED, toMarker);
  return seen.replace(RUN, (run) => `${ISOLATE}${run}${ISOLATE_END}`);
}

/** Undoes `showText`. */
export function fromShown(shown: string): string {
  return shown
    .replace(ISOLATES, '')
    .replace(MARKER, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

/** `⟨U+202E⟩` */
export function toMarker(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `\u27E8U+${hex.padStart(4, '0')}\u27E9`;
}
