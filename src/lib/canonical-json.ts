/**
 * RFC 8785: the one text of a JSON value, to be hashed or signed. Accepts JSON values only and throws
 * TypeError for anything else, since what was silently dropped would not be covered by the hash.
 * Parsing untrusted text is up to `strict-json.ts`.
 */
import type { JsonValue } from './json-value.ts';
import { RawNumber } from './strict-json.ts';

/** Deeper than any accepted message; reached by cycles, which are not JSON either. */
const DEPTH_LIMIT = 1000;

export function toCanonicalJson(value: JsonValue): string {
  return write(value, 0);
}

/** `unknown`, because this must find exactly what the types rule out. */
function write(value: unknown, depth: number): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'string') return writeString(value);
  if (value instanceof RawNumber) return value.toString();
  if (typeof value !== 'object') throw new TypeError(`${typeof value} is not a JSON value`);
  if (depth >= DEPTH_LIMIT) throw new TypeError('the value is cyclic or nested too deep');
  return Array.isArray(value) ? writeArray(value, depth + 1) : writeObject(value, depth + 1);
}

/** RFC 8785 uses the number format of ECMAScript, which turns -0 into 0. */
function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is not a JSON value`);
  return String(value);
}

/** Most keys and names need no escape, and testing is cheaper than escaping. */
const PLAIN = /^[ !#-[\]-~]*$/;
const SHORT = 256;

/** JSON.stringify escapes as RFC 8785 requires, except that it accepts lone surrogates. */
function writeString(value: string): string {
  if (value.length <= SHORT && PLAIN.test(value)) return `"${value}"`;
  if (!value.isWellFormed()) throw new TypeError('a string contains half of a surrogate pair');
  return JSON.stringify(value);
}

function writeArray(values: readonly unknown[], depth: number): string {
  // An index loop, because a hole must be seen as undefined.
  let items = '';
  for (let index = 0; index < values.length; index++) {
    items += `${index === 0 ? '' : ','}${write(values[index], depth)}`;
  }
  return `[${items}]`;
}

function writeObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('an instance of a class is not a JSON value');
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    throw new TypeError('an object with symbols for keys is not a JSON value');
  }
  const entries = value as Readonly<Record<string, unknown>>;
  // Without a comparator, sorting is by UTF-16 code units, as in RFC 8785.
  const members = Object.keys(entries)
    .toSorted()
    .map((key) => `${writeString(key)}:${write(entries[key], depth)}`);
  return `{${members.join(',')}}`;
}
