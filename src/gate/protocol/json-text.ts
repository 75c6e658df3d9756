/**
 * Finds where a value stands in JSON text, so that a part can be read, cut or replaced while all other
 * bytes stay as they are. For text that is known to be strict JSON; of anything else it promises only
 * that it ends.
 */

export interface Place {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const HIGHEST_SPACE = 0x20;

/** The value at a path of object keys; the whole document for an empty path. */
export function locate(text: string, path: readonly string[]): Place | undefined {
  let start = skipSpace(text, 0);
  for (const key of path) {
    const found = findMember(text, start, key);
    if (found === undefined) return undefined;
    start = found;
  }
  return { start, end: skipValue(text, start) };
}

/** The elements of the array that the text is, in their order. */
export function elementsIn(text: string): readonly Place[] {
  const places: Place[] = [];
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_ARRAY) return places;
  at = skipSpace(text, at + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_ARRAY) {
    const end = skipValue(text, at);
    places.push({ start: at, end });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) !== COMMA) break;
    at = skipSpace(text, at + 1);
  }
  return places;
}

interface Member {
  readonly key: string;
  /** Where the key begins. */
  readonly start: number;
  readonly value: Place;
}

/** The members of the object that begins here, in their order. */
function membersAt(text: string, object: number): readonly Member[] {
  const members: Member[] = [];
  let at = skipSpace(text, object + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = skipString(text, at);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = skipValue(text, start);
    members.push({
      key: JSON.parse(text.slice(at, keyEnd)) as string,
      start: at,
      value: { start, end },
    });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) !== COMMA) break;
    at = skipSpace(text, at + 1);
  }
  return members;
}

/** Where the value of a member begins, given where its object begins. */
function findMember(text: string, object: number, key: string): number | undefined {
  if (text.charCodeAt(object) !== OPEN_OBJECT) return undefined;
  let at = skipSpace(text, object + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const end = skipString(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (isKey(text, at, end, key)) return value;
    at = skipSpace(text, skipValue(text, value));
    if (text.charCodeAt(at) !== COMMA) return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}

/** A key may be spelled with escapes; two spellings are one key. */
function isKey(text: string, start: number, end: number, key: string): boolean {
  if (end - start - 2 === key.length && text.startsWith(key, start + 1)) return true;
  const inner = text.slice(start, end);
  if (!inner.includes('\\')) return false;
  try {
    return JSON.parse(inner) === key;
  } catch {
    return false;
  }
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return skipString(text, start);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    at += 1;
    if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) depth += 1;
    else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return at;
}

function skipString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    if (!isEscaped(text, quote, start)) return quote + 1;
    at = quote + 1;
  }
}

function isEscaped(text: string, quote: number, start: number): boolean {
  let before = quote - 1;
  while (before > start && text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (quote - 1 - before) % 2 === 1;
}

function skipScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit <= HIGHEST_SPACE || unit === COMMA || unit === COLON) break;
    if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) break;
    at += 1;
  }
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= HIGHEST_SPACE) at += 1;
  return at;
}

/**
 * Rewrites one object inside JSON text: members are left out, replaced or added, and the text of all
 * others stays as it was. For text that is known to be strict JSON.
 */
interface Changes {
  /** JSON text for each key; `undefined` leaves the member out. */
  readonly [key: string]: string | undefined;
}

/** `undefined` where there is no object at the path. */
export function changeMembers(
  text: string,
  path: readonly string[],
  changes: Changes,
): string | undefined {
  const place = locate(text, path);
  if (place === undefined || text[place.start] !== '{') return undefined;
  const kept: string[] = [];
  const seen = new Set<string>();
  for (const { key, start, value } of membersAt(text, place.start)) {
    seen.add(key);
    if (!Object.hasOwn(changes, key)) kept.push(text.slice(start, value.end));
    else if (changes[key] !== undefined) {
      kept.push(text.slice(start, value.start) + changes[key]);
    }
  }
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined && !seen.has(key)) kept.push(`${JSON.stringify(key)}:${value}`);
  }
  return `${text.slice(0, place.start)}{${kept.join(',')}}${text.slice(place.end)}`;
}
