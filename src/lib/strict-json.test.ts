import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonLimits } from './strict-json.ts';
import { toCanonicalJson } from './canonical-json.ts';
import type { JsonValue } from './json-value.ts';
import { parseStrictJson, RawNumber } from './strict-json.ts';

function codeOf(text: string, limits?: JsonLimits): string {
  const read = parseStrictJson(text, limits);
  return read.kind === 'json' ? 'taken' : read.code;
}

function atOf(text: string): number | undefined {
  const read = parseStrictJson(text);
  return read.kind === 'json' ? undefined : read.at;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const text = fc.string({ unit: 'binary', maxLength: 40 });
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '1', '01', ''));
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.double().filter((value) => Number.isFinite(value) && !Number.isInteger(value)),
);
const { value: safeValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.constantFrom(null, true, false), number, text),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(Object.fromEntries),
  ),
}));

const PIECES = [
  ['{', '}', '[', ']', ',', ':', '"', '\\', '"a"', '"b":', '1', '-', '0', '.', 'e', '+'],
  ['true', 'false', 'null', 'nul', ' ', '\n', '\t', '\r', '\f', '\u00a0', '\ufeff', '\\u00e'],
  ['\\n', '\\x', '\u0000', '\u001f', '\u007f', 'é', '/', "'"],
].flat();

describe('parseStrictJson', () => {
  it('agrees with JSON.parse on everything that JSON.stringify makes of safe values', () => {
    fc.assert(
      fc.property(safeValue, fc.constantFrom(0, 2, '\t'), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        const agreed = { kind: 'json', value: JSON.parse(json) };
        expect(isDeepStrictEqual(parseStrictJson(json), agreed)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('calls malformed exactly what JSON.parse does not take', () => {
    const piece = fc.constantFrom(...PIECES);
    const made = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const cut = fc.tuple(safeValue, fc.nat(), piece, fc.nat(2)).map(([value, seed, put, drop]) => {
      const json = JSON.stringify(value);
      const at = seed % (json.length + 1);
      return json.slice(0, at) + put + json.slice(at + drop);
    });
    fc.assert(
      fc.property(fc.oneof(made, cut), (json) => {
        expect(codeOf(json)).not.toBe(isJson(json) ? 'malformed' : 'taken');
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ['', 0],
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['01', 1],
    ['-', 1],
    ['1.', 2],
    ['1e', 2],
    ['"\u0001"', 1],
    ['"\\x"', 1],
    ['"\\u12g4"', 1],
    ['"open', 5],
    ['[[]', 3],
    ['{} {}', 3],
    ['\ufeff{}', 0],
  ])('%j is malformed at %d', (json, at) => {
    expect(codeOf(json)).toBe('malformed');
    expect(atOf(json)).toBe(at);
  });

  it('takes a number exactly when its double says the same, by exact arithmetic', () => {
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,24})$/);
    const fraction = fc.stringMatching(/^(?:\d{1,4}|0{0,24}\d|9{1,24}|\d{16,24})$/);
    const exponent = fc.integer({ min: -40, max: 330 });
    const token = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.oneof(
          digits,
          fc.constantFrom('9007199254740991', '9007199254740992', '4503599627370497'),
        ),
        fc.option(fraction),
        fc.option(exponent),
      )
      .map(([sign, whole, part, power]) => ({
        text: `${sign}${whole}${part === null ? '' : `.${part}`}${power === null ? '' : `e${power}`}`,
        scaled: BigInt(`${whole}${part ?? ''}`) * (sign === '-' ? -1n : 1n),
        power: (power ?? 0) - (part?.length ?? 0),
      }));
    fc.assert(
      fc.property(token, ({ text: json, scaled, power }) => {
        const double = Number(json);
        expect(codeOf(json)).toBe(isSameValue(double, scaled, power) ? 'taken' : 'unsafe-number');
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    ['9007199254740991', 'taken'],
    ['-9007199254740991', 'taken'],
    ['9007199254740992', 'unsafe-number'],
    ['9007199254740993', 'unsafe-number'],
    ['-9007199254740993', 'unsafe-number'],
    ['9007199254740993.0', 'unsafe-number'],
    ['90071992547409.93e2', 'unsafe-number'],
    ['9007199254740991.4', 'unsafe-number'],
    ['1.00000000000000000001', 'unsafe-number'],
    ['0.99999999999999999999', 'unsafe-number'],
    ['1e400', 'unsafe-number'],
    ['-1e400', 'unsafe-number'],
    ['1e22', 'unsafe-number'],
    ['1e-400', 'unsafe-number'],
    ['1e15', 'taken'],
    ['1E+2', 'taken'],
    ['10000e-2', 'taken'],
    ['0e999999999999', 'taken'],
    ['-0', 'taken'],
    ['-0.0', 'taken'],
    ['100.000000000000000000000', 'taken'],
    ['0.1', 'taken'],
    ['0.30000000000000004', 'taken'],
    ['3.141592653589793238462643', 'taken'],
    ['5e-324', 'taken'],
  ])('number %s: %s', (json, code) => {
    expect(codeOf(json)).toBe(code);
    expect(codeOf(`{"amount": [${json}]}`)).toBe(code);
  });

  it('refuses a key that an object has twice, however it is escaped', () => {
    fc.assert(
      fc.property(safeValue, key, fc.nat(), (value, twice, seed) => {
        const first = JSON.stringify(twice);
        const second = seed % 2 === 0 ? first : `"${escapeAll(twice)}"`;
        const inner = `{${first}:${JSON.stringify(value)},"other":[{}], ${second} :1}`;
        expect(codeOf(`[{"x":${inner}},${JSON.stringify(value)}]`)).toBe('duplicate-key');
      }),
    );
    expect(atOf('{"a":{"b":1},"b":{"a":2,"c":"{\\"a\\":","\\u0061":3}}')).toBe(38);
    expect(codeOf('[{"a":1},{"a":1},{"b":{"a":1},"a":1}]')).toBe('taken');
    expect(codeOf('{"__proto__":1,"__proto__":2}')).toBe('duplicate-key');
  });

  it('refuses half of a surrogate pair in strings and keys, raw or escaped', () => {
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
    const form = fc.constantFrom((s: string) => s, escapeAll);
    fc.assert(
      fc.property(text, half, text, form, fc.boolean(), (before, lone, after, write, inKey) => {
        const string = `"${escapeAll(before)}${write(lone)}${escapeAll(after)}"`;
        const json = inKey ? `{${string}:1}` : `[${string}]`;
        expect(codeOf(json)).toBe('lone-surrogate');
      }),
    );
    expect(codeOf('"\\ud83d\\ude00 \ud83d\ude00 \\\\ud83d"')).toBe('taken');
    expect(codeOf('"\\ud83d\ude00"')).toBe('lone-surrogate');
    expect(codeOf('"\ud83d\\ude00"')).toBe('lone-surrogate');
    expect(atOf('["ok","\\ude00"]')).toBe(7);
  });

  it('refuses what is nested deeper than the limit, and not one level sooner', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect([codeOf(nested(64)), codeOf(nested(65)), atOf(nested(65))]).toEqual([
      'taken',
      'too-deep',
      64,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.boolean(), (depth, inObject) => {
        const json = inObject ? '{"a":'.repeat(depth) + '1' + '}'.repeat(depth) : nested(depth);
        expect(codeOf(json, { depth })).toBe('taken');
        expect(codeOf(json, { depth: depth - 1 })).toBe('too-deep');
      }),
    );
    expect(codeOf('"scalar"', { depth: 0 })).toBe('taken');
  });

  it('refuses what has more bytes than the limit, counted in UTF-8', () => {
    fc.assert(
      fc.property(text, (string) => {
        const json = JSON.stringify(string);
        const bytes = new TextEncoder().encode(json).length;
        expect(codeOf(json, { bytes })).toBe('taken');
        expect(codeOf(json, { bytes: bytes - 1 })).toBe('too-large');
      }),
    );
    expect(codeOf(`"${'a'.repeat(4 * 1024 * 1024 - 2)}"`)).toBe('taken');
    expect(codeOf(`"${'a'.repeat(4 * 1024 * 1024 - 1)}"`)).toBe('too-large');
  });

  it('keeps __proto__ a property like any other', () => {
    const read = parseStrictJson('{"__proto__":{"polluted":true},"a":{"__proto__":null}}');
    if (read.kind !== 'json') throw new Error(read.code);
    const value = read.value as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value['polluted']).toBeUndefined();
  });

  it('tells nothing of the text in a refusal', () => {
    const read = parseStrictJson('{"password":"hunter2","password":"hunter2"}');
    expect(JSON.stringify(read)).not.toContain('hunter2');
    expect(JSON.stringify(read)).not.toContain('password');
    expect(Object.isFrozen(read)).toBe(true);
  });

  it('stays quick and does not throw on texts made to hurt', () => {
    const million = 1_000_000;
    const huge = { bytes: 64 * million, depth: Infinity };
    expect(codeOf('['.repeat(4 * million))).toBe('too-deep');
    expect(codeOf('['.repeat(million), huge)).toBe('malformed');
    expect(codeOf('['.repeat(million) + ']'.repeat(million), huge)).toBe('taken');
    expect(codeOf(`"${'a'.repeat(20 * million)}"`, huge)).toBe('taken');
    expect(codeOf(`"${'\\u0041'.repeat(million)}"`, huge)).toBe('taken');
    expect(codeOf(`0.${'0'.repeat(million)}1`, huge)).toBe('unsafe-number');
    expect(codeOf(`1${'0'.repeat(million)}`, huge)).toBe('unsafe-number');
    const members = Array.from({ length: 300_000 }, (_, index) => `"${index}":0`).join(',');
    expect(codeOf(`{${members}}`, huge)).toBe('taken');
    expect(codeOf(`{${members},"7":1}`, huge)).toBe('duplicate-key');
  });
});

describe('parseStrictJson that keeps unsafe numbers', () => {
  const KEEP = { unsafeNumbers: 'keep' } as const;
  const unsafe = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => Number.isInteger(value) && !Number.isSafeInteger(value));

  it('takes what JSON.stringify writes, as its text and as no number', () => {
    fc.assert(
      fc.property(unsafe, fc.maxSafeInteger(), (value, safe) => {
        const json = JSON.stringify({ a: [value, safe], b: { c: value } });
        const read = parseStrictJson(json, KEEP);
        if (read.kind !== 'json') throw new Error(read.code);
        const { a, b } = read.value as { a: unknown[]; b: { c: unknown } };
        expect([a[0], b.c]).toEqual([expect.any(RawNumber), expect.any(RawNumber)]);
        expect(String(a[0])).toBe(String(value));
        expect(a[1]).toBe(safe);
        expect(a[0] === (value as unknown)).toBe(false);
        expect(JSON.stringify(read.value)).toBe(json);
        expect(toCanonicalJson(read.value)).toBe(json);
        expect(codeOf(json)).toBe('unsafe-number');
      }),
    );
  });

  it.each([
    ['1234567890123456800', 'taken'],
    ['9007199254740992', 'taken'],
    ['-9007199254740992', 'taken'],
    ['1e+21', 'taken'],
    ['1.7976931348623157e+308', 'taken'],
    // Nobody who writes doubles writes these, so that readers of doubles see something else.
    ['1234567890123456789', 'unsafe-number'],
    ['9007199254740993', 'unsafe-number'],
    ['9007199254740992.0', 'unsafe-number'],
    ['1e21', 'unsafe-number'],
    ['1E+21', 'unsafe-number'],
    ['1000000000000000000000', 'unsafe-number'],
    ['1e400', 'unsafe-number'],
    ['1e-400', 'unsafe-number'],
    ['1.00000000000000000001', 'unsafe-number'],
    ['-', 'malformed'],
  ])('%s: %s', (json, code) => {
    expect(codeOf(`{"a":[${json}]}`, KEEP)).toBe(code);
  });

  it('finds keys that are there twice, and keeps __proto__ a property', () => {
    expect(codeOf('{"a":1e+21,"a":1e+21}', KEEP)).toBe('duplicate-key');
    const read = parseStrictJson('{"__proto__":{"a":1e+21}}', KEEP);
    const value = read.kind === 'json' ? (read.value as Record<string, JsonValue>) : {};
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

/** Whether the double is what the digits say; fractions that stay fractions may be rounded. */
function isSameValue(double: number, scaled: bigint, power: number): boolean {
  if (!Number.isFinite(double)) return false;
  if (!Number.isInteger(double)) return true;
  if (!Number.isSafeInteger(double)) return false;
  const left = power >= 0 ? scaled * 10n ** BigInt(power) : scaled;
  const right = power >= 0 ? BigInt(double) : BigInt(double) * 10n ** BigInt(-power);
  return left === right;
}

function escapeAll(string: string): string {
  const units = Array.from({ length: string.length }, (_, index) => string.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
