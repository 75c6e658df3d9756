import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCanonicalJson } from './canonical-json.ts';
import type { JsonValue } from './json-value.ts';

function fromBits(hex: string): number {
  return Buffer.from(hex, 'hex').readDoubleBE();
}

/** Past the types, to show what is refused at run time. */
function write(value: unknown): string {
  return toCanonicalJson(value as JsonValue);
}

const text = fc.string({ unit: 'binary', maxLength: 30 });
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.constantFrom(null, true, false),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      text,
    ),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 8 }).map(Object.fromEntries),
  ),
}));

describe('toCanonicalJson', () => {
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s as %s (RFC 8785, appendix B)', (bits, written) => {
    expect(toCanonicalJson(fromBits(bits))).toBe(written);
  });

  it.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])(
    'refuses the double %s (RFC 8785, appendix B)',
    (bits) => {
      expect(() => toCanonicalJson(fromBits(bits))).toThrow(TypeError);
    },
  );

  it('writes the example of RFC 8785, section 3.2.2, as the bytes of section 3.2.4', () => {
    const value = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`) as JsonValue;
    const bytes = [
      '7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72',
      '75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72 73 22 3a',
      '5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31',
      '65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37',
      '5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30',
      '30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d',
    ].join(' ');
    const written = Buffer.from(toCanonicalJson(value)).toString('hex');
    expect(written).toBe(bytes.replaceAll(' ', ''));
  });

  it('sorts keys as the example of RFC 8785, section 3.2.3', () => {
    const value = JSON.parse(String.raw`{
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }`) as JsonValue;
    const sorted = [
      String.raw`"\r":"Carriage Return"`,
      '"1":"One"',
      '"\u0080":"Control"',
      '"\u00f6":"Latin Small Letter O With Diaeresis"',
      '"\u20ac":"Euro Sign"',
      '"\u{1f600}":"Emoji: Grinning Face"',
      '"\ufb33":"Hebrew Letter Dalet With Dagesh"',
    ];
    expect(toCanonicalJson(value)).toBe(`{${sorted.join(',')}}`);
  });

  it('agrees with the canonicalize package', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(write(value)).toBe(canonicalize(value));
      }),
      { numRuns: 3000 },
    );
  });

  it('does not depend on the order of keys, and reads back as the same value', () => {
    const members = fc.uniqueArray(fc.tuple(text, anyValue), { selector: ([key]) => key });
    fc.assert(
      fc.property(members, (entries) => {
        const written = write(Object.fromEntries(entries));
        expect(write(Object.fromEntries(entries.toReversed()))).toBe(written);
        expect(write(JSON.parse(written))).toBe(written);
      }),
    );
  });

  it.each([
    ['undefined', undefined],
    ['a member that is undefined', { a: undefined }],
    ['a function', { a: () => 1 }],
    ['a symbol', Symbol('s')],
    ['a key that is a symbol', { [Symbol('s')]: 1 }],
    ['a bigint', [1n]],
    ['a hole in an array', Object.assign([], { 2: 1 })],
    ['a date', new Date(0)],
    ['a map', new Map([['a', 1]])],
    ['bytes', Buffer.from('a')],
    ['half of a surrogate pair', ['\ud800']],
    ['half of a surrogate pair in a key', { 'a\udc00': 1 }],
  ])('refuses %s', (_, value) => {
    expect(() => write(value)).toThrow(TypeError);
  });

  it('refuses cycles', () => {
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    expect(() => write(cycle)).toThrow(TypeError);
  });

  it('writes own __proto__ members and objects without a prototype', () => {
    expect(write(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}');
    expect(write(Object.assign(Object.create(null) as object, { a: 1 }))).toBe('{"a":1}');
  });
});
