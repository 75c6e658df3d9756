/**
 * Reads one JSON number and tells whether its double says the same. Integers must be safe ones.
 * Fractions are rounded to doubles, as everybody expects; but a fraction that the rounding makes an
 * integer, zero included, has become something else.
 */
import type { JsonFault } from './json-fault.ts';

const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_E = 0x65;

/** Up to so many digits every integer is safe, and doubles lie less than 0.2 apart. */
const SURE_DIGITS = 15;

/** Gives the position behind the number that begins at `start`. */
export function scanJsonNumber(text: string, start: number): number | JsonFault {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = text.charCodeAt(first) === ZERO ? first + 1 : skipDigits(text, first);
  if (at === first) return { code: 'malformed', at };
  let isSure = at - start <= SURE_DIGITS;
  if (text.charCodeAt(at) === DOT) {
    const tenths = text.charCodeAt(at + 1);
    const fraction = at + 1;
    at = skipDigits(text, fraction);
    if (at === fraction) return { code: 'malformed', at };
    // A tenth or more away from every integer, it cannot be rounded to one.
    isSure &&= (tenths > ZERO && tenths < NINE) || at - start <= SURE_DIGITS;
  }
  if ((text.charCodeAt(at) | 0x20) === LOWER_E) {
    const sign = text.charCodeAt(at + 1);
    const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
    at = skipDigits(text, exponent);
    if (at === exponent) return { code: 'malformed', at };
    isSure = false;
  }
  if (isSure || isFaithful(text.slice(start, at))) return at;
  return { code: 'unsafe-number', at: start };
}

function skipDigits(text: string, start: number): number {
  let at = start;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (!(unit >= ZERO && unit <= NINE)) return at; // NaN behind the end too
    at++;
  }
}

function isFaithful(token: string): boolean {
  const value = Number(token);
  if (!Number.isInteger(value)) return Number.isFinite(value);
  // An integer beyond the safe ones never rounds to a safe one, so a safe one is exact.
  return Number.isSafeInteger(value) && denotesInteger(token);
}

/** Decided on the digits: neither a long fraction nor a huge exponent is ever written out. */
function denotesInteger(token: string): boolean {
  const mark = token.search(/e/i);
  const mantissa = mark === -1 ? token : token.slice(0, mark);
  const exponent = mark === -1 ? 0 : Number(token.slice(mark + 1));
  let last = mantissa.length - 1;
  while (mantissa[last] === '0' || mantissa[last] === '.') last--;
  if (last === -1 || mantissa[last] === '-') return true; // all digits are zero
  const dot = mantissa.indexOf('.');
  const units = (dot === -1 ? mantissa.length : dot) - 1;
  const powerOfLast = last > units ? units - last + 1 : units - last;
  return powerOfLast + exponent >= 0;
}
