/**
 * Parses JSON so that writing it again gives the same numbers: one that a double would change is kept as
 * its text. For answers that are passed on, not for what is decided on; `strict-json.ts` is for that.
 */
import { RawNumber } from './strict-json.ts';

/** Nothing shorter can lose digits, and only an exponent can leave the range. */
const MAY_BE_LOSSY = /[\d.]{16}|\de/i;

/** Throws SyntaxError, as `JSON.parse` does. */
export function parseLossless(text: string): unknown {
  return JSON.parse(text, MAY_BE_LOSSY.test(text) ? keepLossy : undefined) as unknown;
}

/** A copy in which every number is a plain one, for validators. */
export function toDoubles(value: unknown): unknown {
  if (value instanceof RawNumber) return Number(value.toString());
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toDoubles);
  const members = Object.entries(value).map(([name, inner]) => [name, toDoubles(inner)] as const);
  // Without a prototype, nothing that is not in the text can be found in it.
  return Object.setPrototypeOf(Object.fromEntries(members), null) as unknown;
}

/** ES2026 passes the text of a primitive value as the third argument. */
function keepLossy(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  return isSameNumber(source, String(value)) ? value : new RawNumber(source);
}

/** Nobody means a double by more digits than this, and comparing them would take long. */
const MOST_COMPARED = 64;

function isSameNumber(source: string, written: string): boolean {
  if (source === written) return true;
  return source.length <= MOST_COMPARED && toDecimal(source) === toDecimal(written);
}

/** Digits without zeros at either end, and the power of ten of the last one: `1.20e3` is `12e2`. */
function toDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return whole === '' ? text : '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - kept.length);
  return `${sign}${kept}e${power}`;
}
