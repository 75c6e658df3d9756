/**
 * Finds secret tokens in a text, also where other letters stand right before or after them, and
 * where they are written in hex, base64 or base64url inside something longer.
 */
import { findRuns, toAlphabet } from './find-runs.ts';
import { readSecretToken } from './secret-token.ts';
import type { Span } from './span.ts';

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
  /** So many characters stand for so many bytes. */
  readonly characters: number;
  readonly bytes: number;
}

const HEX: Encoding = Object.freeze({
  name: 'hex',
  alphabet: toAlphabet('0123456789ABCDEFabcdef'),
  characters: 2,
  bytes: 1,
});

/** Both alphabets of base64 at once; Node decodes them alike. */
const BASE64: Encoding = Object.freeze({
  name: 'base64',
  alphabet: toAlphabet(`${LETTERS}0123456789+/-_`),
  characters: 4,
  bytes: 3,
});

export function findSecretTokens(text: string): readonly Span[] {
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

/** Letters may stand right before the prefix, so every length that it can have is tried. */
function startOfToken(text: string, mark: number, end: number): number | undefined {
  const furthest = Math.max(0, mark - LONGEST_PREFIX);
  for (let start = mark - 1; start >= furthest; start--) {
    if (!PREFIX_CHARACTER.test(text.charAt(start))) return undefined;
    if (readSecretToken(text.slice(start, end)).kind === 'token') return start;
  }
  return undefined;
}

/** A run may begin in the middle of a group, so it is decoded from each place in a group. */
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
