/**
 * Finds secret tokens in a text, also next to other letters, and encoded in hex, base64 or base64url
 * inside something longer.
 */
import { unescapeText } from './find-duplicate-key.ts';
import { readSecretToken } from './secret-token.ts';
import { SECRET_MARK } from './secret.ts';

const BEHIND_MARK = 36;
const LONGEST_PREFIX = 16;
const SHORTEST_TOKEN = 39;
const PLAIN_TAIL = /[A-Za-z\d]{36}/y;
const PREFIX_CHARACTER = /[a-z\d]/;
const PADDING = /={0,2}/y;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

interface Encoding {
  readonly name: 'hex' | 'base64';
  readonly alphabet: ReturnType<typeof toAlphabet>;
  /** This many characters encode this many bytes. */
  readonly characters: number;
  readonly bytes: number;
}

const HEX: Encoding = Object.freeze({
  name: 'hex',
  alphabet: toAlphabet('0123456789ABCDEFabcdef'),
  characters: 2,
  bytes: 1,
});

/** Both base64 alphabets at once; Node decodes them alike. */
const BASE64: Encoding = Object.freeze({
  name: 'base64',
  alphabet: toAlphabet(`${LETTERS}0123456789+/-_`),
  characters: 4,
  bytes: 3,
});

function findSecretTokens(text: string): readonly Span[] {
  return [...findPlain(text), ...findEncoded(text, HEX), ...findEncoded(text, BASE64)];
}

function findPlain(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let mark = text.indexOf('_'); mark !== -1; mark = text.indexOf('_', mark + 1)) {
    PLAIN_TAIL.lastIndex = mark + 1;
    if (!PLAIN_TAIL.test(text)) continue;
    const end = mark + 1 + BEHIND_MARK;
    const start = startOfToken(text, mark, end);
    if (start !== undefined) spans.push({ start, end });
  }
  return spans;
}

/** Letters may precede the prefix, so every length that it can have is tried. */
function startOfToken(text: string, mark: number, end: number): number | undefined {
  const furthest = Math.max(0, mark - LONGEST_PREFIX);
  for (let start = mark - 1; start >= furthest; start--) {
    if (!PREFIX_CHARACTER.test(text.charAt(start))) return undefined;
    if (readSecretToken(text.slice(start, end)).kind === 'token') return start;
  }
  return undefined;
}

/** A run may begin in the middle of a group, so it is decoded from each offset in a group. */
function findEncoded(text: string, encoding: Encoding): readonly Span[] {
  const { name, alphabet, characters, bytes } = encoding;
  const least = Math.ceil((SHORTEST_TOKEN * characters) / bytes);
  return findRuns(text, alphabet, least).flatMap((run) =>
    Array.from({ length: characters }, (_, skipped) => run.start + skipped).flatMap((origin) => {
      const decoded = Buffer.from(text.slice(origin, run.end), name).toString('latin1');
      return findPlain(decoded).map(({ start, end }) => ({
        start: origin + Math.floor((start * characters) / bytes),
        end: endOfPadding(text, origin + Math.ceil((end * characters) / bytes)),
      }));
    }),
  );
}

function endOfPadding(text: string, from: number): number {
  PADDING.lastIndex = from;
  PADDING.test(text);
  return PADDING.lastIndex;
}

/** A flag for each ASCII code. */
type Alphabet = Uint8Array;

function toAlphabet(characters: string): Alphabet {
  const alphabet = new Uint8Array(128);
  for (const character of characters) alphabet[character.charCodeAt(0)] = 1;
  return alphabet;
}

/**
 * Tests each position where a run could end, backwards from there, so that most characters of a text
 * with short words are never read and none more than twice.
 */
function findRuns(text: string, alphabet: Alphabet, least: number): readonly Span[] {
  const runs: Span[] = [];
  let start = 0;
  while (start + least <= text.length) {
    let at = start + least - 1;
    while (at >= start && alphabet[text.charCodeAt(at)] === 1) at--;
    if (at < start) {
      at = start + least;
      while (at < text.length && alphabet[text.charCodeAt(at)] === 1) at++;
      runs.push({ start, end: at });
    }
    start = at + 1;
  }
  return runs;
}

/**
 * The last filter before a text is logged or shown: puts `[secret]` in place of every secret token,
 * plain or in hex, base64, base64url, percent-encoding or JSON escapes. It recognizes tokens of our own
 * form only, and does not excuse letting secrets get this far.
 */
export function redactSecrets(text: string): string {
  const spans = [...findSecretTokens(text), ...findEscaped(text)];
  if (spans.length === 0) return text;
  let redacted = '';
  let read = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    // Two decodings of one place can both find the token; it is marked once.
    if (start >= read) redacted += text.slice(read, start) + SECRET_MARK;
    read = Math.max(read, end);
  }
  return redacted + text.slice(read);
}

function findEscaped(text: string): readonly Span[] {
  const unescaped = unescapeText(text);
  if (unescaped === undefined) return [];
  const originOf = (index: number): number => unescaped.origins[index] ?? text.length;
  return findSecretTokens(unescaped.text).map(({ start, end }) => ({
    start: originOf(start),
    end: originOf(end),
  }));
}

/** A part of a text, from one index up to, not including, another. */
interface Span {
  readonly start: number;
  readonly end: number;
}
