/**
 * Parses JSON from outside so that no other parser can read the same text differently: no duplicate
 * keys, no number that a double cannot represent, no lone surrogate, bounded depth and size. The result
 * can be hashed, approved and forwarded. Never throws; a refusal quotes nothing of the text.
 */
import { findDuplicateKey } from './find-duplicate-key.ts';
import type { JsonValue } from './json-value.ts';
import { scanJson } from './scan-json.ts';

export interface JsonLimits {
  /** How deep arrays and objects may be nested. */
  readonly depth?: number;
  /** In UTF-8. */
  readonly bytes?: number;
  /** How many values there may be, each list and object counting as one. Default: as fit in. */
  readonly values?: number;
  /**
   * `keep` accepts unsafe integers in the one spelling that JSON.stringify has for them, and returns
   * them as `RawNumber`; any other number that a double cannot represent is still refused.
   */
  readonly unsafeNumbers?: 'refuse' | 'keep';
}

/**
 * A number as its text, where parsers differ on its value: doubles round it, big integers do not. It
 * equals no number, JSON.stringify writes its text, and a condition that touches it fails.
 */
export class RawNumber {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** Written as it was read. */
  toJSON(): unknown {
    return rawJson(this.#text);
  }
}

/** ES2026, which the compiler's library does not know yet. */
const { rawJSON: rawJson } = JSON as typeof JSON & { rawJSON: (text: string) => unknown };

type JsonRefusalCode = JsonFaultCode | 'too-large' | 'duplicate-key';

type StrictJson =
  | { readonly kind: 'json'; readonly value: JsonValue }
  | {
      readonly kind: 'refused';
      readonly code: JsonRefusalCode;
      readonly detail: string;
      /** Index of a UTF-16 unit in the text. */
      readonly at: number;
    };

const DEFAULT_DEPTH = 64;
const DEFAULT_BYTES = 4 * 1024 * 1024;
const MOST_BYTES_PER_UNIT = 3;

const DETAILS: Readonly<Record<JsonRefusalCode, string>> = Object.freeze({
  malformed: 'The text is not JSON.',
  'too-large': 'The text is longer than the limit.',
  'too-deep': 'Arrays and objects are nested deeper than the limit.',
  'too-many-values': 'There are more values than the limit.',
  'duplicate-key': 'An object has the same key twice.',
  'unsafe-number': 'A number would change its value when read as a double; send it as a string.',
  'lone-surrogate': 'A string or key contains half of a surrogate pair.',
});

export function parseStrictJson(text: string, limits: JsonLimits = {}): StrictJson {
  const { depth = DEFAULT_DEPTH, bytes = DEFAULT_BYTES, values = Infinity } = limits;
  if (isLarger(text, bytes)) return refuse('too-large', 0);
  const scanned = scanJson(text, { depth, values, takesUnsafe: limits.unsafeNumbers === 'keep' });
  if ('code' in scanned) return refuse(scanned.code, scanned.at);
  let value: JsonValue;
  try {
    // Its own `__proto__` members stay plain properties, with a reviver too.
    value = JSON.parse(text, scanned.hasUnsafe ? keepUnsafe : undefined) as JsonValue;
  } catch {
    return refuse('malformed', 0);
  }
  // The engine keeps one of two equal keys, so the value has fewer members than the text.
  if (countMembers(value) !== scanned.members)
    return refuse('duplicate-key', findDuplicateKey(text) ?? 0);
  return Object.freeze({ kind: 'json', value });
}

/** The scan accepted only the spelling of the double itself. */
function keepUnsafe(_: string, value: unknown): unknown {
  const isUnsafe = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isUnsafe ? new RawNumber(String(value)) : value;
}

function isLarger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * MOST_BYTES_PER_UNIT > bytes && Buffer.byteLength(text) > bytes;
}

/** With its own stack, because the sender may control the depth. */
function countMembers(root: JsonValue): number {
  let count = 0;
  const waiting: JsonValue[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (value === null || typeof value !== 'object') continue;
    const parts = isArray(value) ? value : Object.values(value);
    if (parts !== value) count += parts.length;
    for (const part of parts) {
      if (typeof part === 'object' && part !== null) waiting.push(part);
    }
  }
  return count;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function refuse(code: JsonRefusalCode, at: number): StrictJson {
  return Object.freeze({ kind: 'refused', code, detail: DETAILS[code], at });
}

/** What can be wrong with a text that should be JSON, found while reading it from left to right. */
export type JsonFaultCode =
  | 'malformed'
  | 'too-deep'
  | 'too-many-values'
  | 'unsafe-number'
  | 'lone-surrogate';

export interface JsonFault {
  readonly code: JsonFaultCode;
  /** Index of the UTF-16 unit in the text where the fault begins. */
  readonly at: number;
}
