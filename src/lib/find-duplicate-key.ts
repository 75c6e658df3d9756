/**
 * Finds the key that one object has twice, in a text already known to be JSON. Slow and rarely run:
 * only after counting has shown that there is one.
 */

/** Where the second of two equal keys begins, compared after unescaping. */
export function findDuplicateKey(json: string): number | undefined {
  const scopes: Set<string>[] = [];
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === '{' || character === '[') scopes.push(new Set());
    else if (character === '}' || character === ']') scopes.pop();
    else if (character === '"') {
      const end = endOfString(json, at);
      if (isBeforeColon(json, end)) {
        const key = JSON.parse(json.slice(at, end)) as string; // a string token is JSON itself
        const keys = scopes.at(-1);
        if (keys?.has(key) === true) return at;
        keys?.add(key);
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** How often the outermost object has this key, in a text already known to be JSON. */
export function countOuterKey(json: string, key: string): number {
  let count = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '"') {
      const end = endOfString(json, at);
      const isKey = depth === 1 && isBeforeColon(json, end);
      if (isKey && JSON.parse(json.slice(at, end)) === key) count += 1;
      at = end - 1;
    }
  }
  return count;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}

function isBeforeColon(json: string, from: number): boolean {
  let at = from;
  while (/\s/.test(json.charAt(at))) at++;
  return json.charAt(at) === ':';
}

/**
 * A text with its escapes decoded, to be searched again: percent-encoding and the escapes of JSON and
 * JavaScript, also when escaped once or twice more. Maps each character back to its origin.
 */
interface UnescapedText {
  readonly text: string;
  /** For each character, and for the end, the index in the original text. */
  readonly origins: Uint32Array;
}

const ESCAPE = /%(?:25){0,2}([\dA-Fa-f]{2})|\\{1,8}(?:u00|x)([\dA-Fa-f]{2})/g;

/** Returns `undefined` when there is nothing to decode. */
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
