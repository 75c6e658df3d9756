/**
 * A text with its escapes undone, as a second look at it: percent-encoding and the escapes of JSON
 * and JavaScript, also when escaped once or twice more. Keeps where each character came from.
 */
export interface UnescapedText {
  readonly text: string;
  /** For each character, and for the end, the index in the text that was given. */
  readonly origins: Uint32Array;
}

const ESCAPE = /%(?:25){0,2}([\dA-Fa-f]{2})|\\{1,8}(?:u00|x)([\dA-Fa-f]{2})/g;

/** Gives `undefined` when there is nothing to undo. */
export function unescapeText(text: string): UnescapedText | undefined {
  const pieces: string[] = [];
  const origins = new Uint32Array(text.length + 1);
  let length = 0;
  let read = 0;
  const copyUpTo = (end: number): void => {
    pieces.push(text.slice(read, end));
    while (read < end) origins[length++] = read++;
  };
  for (const { 0: escape, 1: percent, 2: backslash, index } of text.matchAll(ESCAPE)) {
    copyUpTo(index);
    pieces.push(String.fromCharCode(Number.parseInt(percent ?? backslash ?? '', 16)));
    origins[length++] = index;
    read = index + escape.length;
  }
  if (pieces.length === 0) return undefined;
  copyUpTo(text.length);
  origins[length] = text.length;
  return { text: pieces.join(''), origins: origins.subarray(0, length + 1) };
}
