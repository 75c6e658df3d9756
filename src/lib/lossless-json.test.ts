import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLossless, toDoubles } from './lossless-json.ts';
import { RawNumber } from './strict-json.ts';

describe('parseLossless', () => {
  it.each([
    '1152921504606847999',
    '-9007199254740993',
    '18446744073709551615',
    '1e400',
    '1e-400',
    '12345678901234567.89',
    '1.00000000000000000001',
    '9007199254740993e0',
  ])('keeps %s', (text) => {
    expect(parseLossless(text)).toBeInstanceOf(RawNumber);
    const whole = `{"a":[${text},{"b":${text}}]}`;
    expect(JSON.stringify(parseLossless(whole))).toBe(whole);
  });

  it('keeps numbers of any length, in little time', () => {
    for (const text of [`1e${'9'.repeat(100_000)}`, `1${'0'.repeat(100_000)}1`]) {
      expect(JSON.stringify(parseLossless(text))).toBe(text);
    }
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['1152921504606848000', 1152921504606848000],
    ['1.50', 1.5],
    ['0.30000000000000004', 0.30000000000000004],
    ['1e+21', 1e21],
    ['1E3', 1000],
    ['0.000e5', 0],
    ['-0', -0],
    ['100000000000000000000', 1e20],
  ])('reads %s as the number that it is', (text, number) => {
    expect(parseLossless(text)).toBe(number);
  });

  it('reads everything else as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(toDoubles(parseLossless(text))).toEqual(toDoubles(JSON.parse(text)));
      }),
    );
    expect(() => parseLossless('{"a":')).toThrow(SyntaxError);
    expect(Object.keys(parseLossless('{"__proto__":12345678901234567890}') as object)).toEqual([
      '__proto__',
    ]);
  });

  it('gives back every integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), (integer) => {
        expect(JSON.stringify(parseLossless(`[${integer}]`))).toBe(`[${integer}]`);
      }),
    );
  });
});

describe('toDoubles', () => {
  it('gives numbers to validators, and objects that inherit nothing', () => {
    const value = toDoubles(parseLossless('{"a":[12345678901234567891]}'));
    expect(value).toEqual({ a: [12345678901234567000] });
    expect('constructor' in (value as object)).toBe(false);
  });
});
