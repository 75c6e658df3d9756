/**
 * One pass over a text: is it JSON by RFC 8259, and free of what JSON.parse accepts although two
 * parsers may read it differently? Builds no value. It only counts object members;
 * `find-duplicate-key.ts` finds which key is duplicate.
 */
import type { JsonFault, JsonFaultCode } from './strict-json.ts';

interface Scanned {
  /** The number of object members in the whole text. */
  readonly members: number;
  /** There are unsafe integers, each spelled as JSON.stringify would. */
  readonly hasUnsafe: boolean;
}

/** Returns the counts, or the first fault. */
export function scanJson(text: string, limits: ScanLimits): Scanned | JsonFault {
  return new JsonScan(text, limits).run();
}

interface ScanLimits {
  readonly depth: number;
  /** How many values there may be, each list and object counting as one. */
  readonly values: number;
  readonly takesUnsafe: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/** The distance in code units from `[` to `]` and from `{` to `}`. */
const CLOSING = 2;
const LITERALS = ['null', 'true', 'false'];
const ESCAPED = '"\\/bfnrt';
const HEX4 = /[\da-f]{4}/iy;

/** Unescaped characters of a string. Running the expression pays off for long strings only. */
// oxlint-disable-next-line no-control-regex -- JSON strings contain none
const PLAIN_RUN = /[^"\\\u0000-\u001f\ud800-\udfff]*/y;
const SHORT_STRING = 24;

/** Methods take a position and return the one after what they read, or FAULTY. */
const FAULTY = -1;

class JsonScan {
  readonly #text: string;
  readonly #depthLimit: number;
  readonly #takesUnsafe: boolean;
  #valuesLeft: number;
  #members = 0;
  #hasUnsafe = false;
  #fault: JsonFault | undefined;

  constructor(text: string, { depth, values, takesUnsafe }: ScanLimits) {
    this.#text = text;
    this.#depthLimit = depth;
    this.#valuesLeft = values;
    this.#takesUnsafe = takesUnsafe;
  }

  run(): Scanned | JsonFault {
    this.#document();
    return this.#fault ?? { members: this.#members, hasUnsafe: this.#hasUnsafe };
  }

  /** A loop with its own stack: the sender controls the depth, and must not control the call stack's. */
  #document(): void {
    const open: number[] = [];
    let at = this.#space(0);
    while (at !== FAULTY) {
      if (--this.#valuesLeft < 0) return void this.#fail('too-many-values', at);
      const unit = this.#text.charCodeAt(at);
      if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
        if (open.length >= this.#depthLimit) return void this.#fail('too-deep', at);
        at = this.#space(at + 1);
        if (this.#text.charCodeAt(at) !== unit + CLOSING) {
          open.push(unit);
          if (unit === OPEN_OBJECT) at = this.#key(at);
          continue;
        }
        at++;
      } else {
        at = this.#scalar(at, unit);
      }
      at = this.#afterValue(at, open);
      if (open.length === 0) return;
    }
  }

  /** Closes the containers that end here and moves to the start of the next value. */
  #afterValue(from: number, open: number[]): number {
    if (from === FAULTY) return FAULTY;
    for (let at = this.#space(from); ; at = this.#space(at + 1)) {
      const container = open.at(-1);
      if (container === undefined) {
        return at === this.#text.length ? at : this.#fail('malformed', at);
      }
      const unit = this.#text.charCodeAt(at);
      if (unit === COMMA) {
        const next = this.#space(at + 1);
        return container === OPEN_OBJECT ? this.#key(next) : next;
      }
      if (unit !== container + CLOSING) return this.#fail('malformed', at);
      open.pop();
    }
  }

  #key(start: number): number {
    if (this.#text.charCodeAt(start) !== QUOTE) return this.#fail('malformed', start);
    const end = this.#string(start);
    if (end === FAULTY) return FAULTY;
    const colon = this.#space(end);
    if (this.#text.charCodeAt(colon) !== COLON) return this.#fail('malformed', colon);
    this.#members++;
    return this.#space(colon + 1);
  }

  #scalar(start: number, unit: number): number {
    if (unit === QUOTE) return this.#string(start);
    if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      return this.#number(start);
    }
    const literal = LITERALS.find((word) => this.#text.startsWith(word, start));
    return literal === undefined ? this.#fail('malformed', start) : start + literal.length;
  }

  #number(start: number): number {
    const end = scanJsonNumber(this.#text, start);
    if (typeof end === 'number') return end;
    const token = this.#text.slice(start, end.end);
    const isTaken = this.#takesUnsafe && end.code === 'unsafe-number' && isOwnSpelling(token);
    if (!isTaken) return this.#fail(end.code, end.at);
    this.#hasUnsafe = true;
    return end.end;
  }

  #string(start: number): number {
    const text = this.#text;
    let at = start + 1;
    for (let read = 0; ; read++) {
      const unit = text.charCodeAt(at); // NaN past the end, for which every comparison is false
      if (isPlain(unit)) {
        at++;
        if (read < SHORT_STRING) continue;
        PLAIN_RUN.lastIndex = at;
        PLAIN_RUN.test(text);
        at = PLAIN_RUN.lastIndex;
      } else if (unit === QUOTE) return at + 1;
      else if (unit === BACKSLASH) {
        at = this.#escape(at);
        if (at === FAULTY) return FAULTY;
      } else if (isHigh(unit) && isLow(text.charCodeAt(at + 1))) at += 2;
      else return this.#fail(unit >= 0xd800 ? 'lone-surrogate' : 'malformed', at);
    }
  }

  #escape(at: number): number {
    const escaped = this.#text.charAt(at + 1);
    if (escaped !== 'u') {
      const isKnown = escaped !== '' && ESCAPED.includes(escaped);
      return isKnown ? at + 2 : this.#fail('malformed', at);
    }
    const unit = this.#hex(at + 2);
    if (unit === FAULTY) return this.#fail('malformed', at);
    if (isLow(unit)) return this.#fail('lone-surrogate', at);
    if (!isHigh(unit)) return at + 6;
    const paired = this.#text.startsWith(String.raw`\u`, at + 6) && isLow(this.#hex(at + 8));
    return paired ? at + 12 : this.#fail('lone-surrogate', at);
  }

  #hex(at: number): number {
    HEX4.lastIndex = at;
    return HEX4.test(this.#text) ? Number.parseInt(this.#text.slice(at, at + 4), 16) : FAULTY;
  }

  #space(start: number): number {
    const text = this.#text;
    let at = start;
    while (isSpace(text.charCodeAt(at))) at++;
    return at;
  }

  #fail(code: JsonFaultCode, at: number): typeof FAULTY {
    this.#fault = { code, at };
    return FAULTY;
  }
}

function isPlain(unit: number): boolean {
  if (unit > BACKSLASH) return unit < 0xd800 || unit > 0xdfff;
  return unit >= 0x20 && unit !== QUOTE && unit !== BACKSLASH;
}

function isSpace(unit: number): boolean {
  return unit <= 0x20 && (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * Reads one JSON number and checks that its double means the same. Integers must be safe. Fractions are
 * rounded to doubles, as everybody expects; but a fraction that rounds to an integer, zero included,
 * has changed its meaning.
 */
const PLUS = 0x2b;
const DOT = 0x2e;
const LOWER_E = 0x65;

/** Up to this many digits every integer is safe, and doubles lie less than 0.2 apart. */
const SURE_DIGITS = 15;

interface NumberFault extends JsonFault {
  readonly end: number;
}

/** Returns the position after the number that begins at `start`. */
function scanJsonNumber(text: string, start: number): number | NumberFault {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = text.charCodeAt(first) === ZERO ? first + 1 : skipDigits(text, first);
  if (at === first) return { code: 'malformed', at, end: at };
  let isSure = at - start <= SURE_DIGITS;
  if (text.charCodeAt(at) === DOT) {
    const tenths = text.charCodeAt(at + 1);
    const fraction = at + 1;
    at = skipDigits(text, fraction);
    if (at === fraction) return { code: 'malformed', at, end: at };
    // A tenth or more away from every integer, it cannot be rounded to one.
    isSure &&= (tenths > ZERO && tenths < NINE) || at - start <= SURE_DIGITS;
  }
  if ((text.charCodeAt(at) | 0x20) === LOWER_E) {
    const sign = text.charCodeAt(at + 1);
    const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
    at = skipDigits(text, exponent);
    if (at === exponent) return { code: 'malformed', at, end: at };
    isSure = false;
  }
  if (isSure || isFaithful(text.slice(start, at))) return at;
  return { code: 'unsafe-number', at: start, end: at };
}

function skipDigits(text: string, start: number): number {
  let at = start;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (!(unit >= ZERO && unit <= NINE)) return at; // NaN past the end too
    at++;
  }
}

function isFaithful(token: string): boolean {
  const value = Number(token);
  if (!Number.isInteger(value)) return Number.isFinite(value);
  // An unsafe integer never rounds to a safe one, so a safe one is exact.
  return Number.isSafeInteger(value) && denotesInteger(token);
}

/** Whether JSON.stringify writes the double exactly like this; the longest such text has 25 characters. */
function isOwnSpelling(token: string): boolean {
  return token.length <= 25 && token === String(Number(token));
}

/** Decided on the digits: neither a long fraction nor a huge exponent is ever expanded. */
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
