import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { checkDigitOf, readGtin } from './gtin.ts';

const digits = (length: number) =>
  fc.string({
    unit: fc.integer({ min: 0, max: 9 }).map(String),
    minLength: length,
    maxLength: length,
  });

/** 13 digits, often with zeros in front, whose number is free to use as a GTIN. */
const body = fc
  .tuple(fc.nat(6), digits(13))
  .map(([zeros, text]) => text.slice(zeros).padStart(13, '0'))
  .filter((text) => readGtin(text + checkDigitOf(text)).kind === 'valid');

describe('readGtin', () => {
  it('R66 R196: reads the sample GTINs from a module that imports nothing, so no store or login', () => {
    const source = readFileSync(new URL('gtin.ts', import.meta.url), 'utf8');
    expect(source).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bfetch\b/);
    expect(readGtin('00614141123452')).toEqual(valid('00614141123452', 'GTIN-12'));
    expect(readGtin('00012345678905')).toEqual(valid('00012345678905', 'GTIN-12'));
    expect(readGtin('09506000134352')).toEqual(valid('09506000134352', 'GTIN-13'));
  });

  it.each([
    ['GTIN-8', '95200002', '00000095200002', 'GTIN-8'],
    ['GTIN-12', '614141123452', '00614141123452', 'GTIN-12'],
    ['GTIN-13', '9506000134352', '09506000134352', 'GTIN-13'],
    ['GTIN-14 with an indicator', '19506000134359', '19506000134359', 'GTIN-14'],
    ['GTIN-12 whose one leading zero is absent', '12345678905', '00012345678905', 'GTIN-12'],
    ['GTIN-8 padded to 12', '000095200002', '00000095200002', 'GTIN-8'],
    ['GTIN-8 padded to 14', '00000095200002', '00000095200002', 'GTIN-8'],
    ['GTIN-12 of nine digits', '100000009', '00000100000009', 'GTIN-12'],
    ['spaces', '9 506000 134352', '09506000134352', 'GTIN-13'],
    ['hyphens', '978-3-16-148410-0', '09783161484100', 'GTIN-13'],
    ['separators at the edges', ' 9506000134352 ', '09506000134352', 'GTIN-13'],
  ])('reads %s', (_what, text, gtin14, format) => {
    expect(readGtin(text)).toEqual(valid(gtin14, format));
  });

  it.each([
    ['null', null, 'not-text'],
    ['undefined', undefined, 'not-text'],
    ['a number', 9506000134352, 'not-text'],
    ['an object that turns into a GTIN', { toString: () => '9506000134352' }, 'not-text'],
    ['an array', ['9506000134352'], 'not-text'],
    ['nothing', '', 'empty'],
    ['separators only', ' - - - - ', 'empty'],
    ['seven digits', '1234565', 'too-short'],
    ['fifteen digits', '009506000134352', 'too-long'],
    ['a separator after every digit', '9-5-0-6-0-0-0-1-3-4-3-5-2', 'too-long'],
    ['a huge text', '0'.repeat(5_000_000), 'too-long'],
    ['letters', '95O6000134352', 'not-digits'],
    ['a sign', '+9506000134352', 'not-digits'],
    ['an exponent', '9506e9', 'not-digits'],
    ['Arabic-Indic digits', '٩٥٠٦٠٠٠١٣٤٣٥٢', 'not-digits'],
    ['fullwidth digits', '９５０６０００１３４３５２', 'not-digits'],
    ['a non-breaking space', '9506000\u00a0134352', 'not-digits'],
    ['a zero-width space', '9506000\u200b134352', 'not-digits'],
    ['an en dash', '9506000–134352', 'not-digits'],
    ['a line break', '9506000134352\n', 'not-digits'],
    ['a NUL', '9506000134352\0', 'not-digits'],
    ['SQL', "1' OR '1'='1", 'not-digits'],
    ['eight zeros', '00000000', 'all-zeros'],
    ['fourteen zeros', '00000000000000', 'all-zeros'],
    ['a wrong check digit', '9506000134353', 'check-digit'],
    ['a number for use in one company', '2000000000008', 'restricted-prefix'],
    ['a UPC-A for use in a region', '200000000004', 'restricted-prefix'],
    ['a UPC-A for use in one company', '400000000008', 'restricted-prefix'],
    ['a case of such a number', '12000000000005', 'restricted-prefix'],
    ['a short number for use in one company', '20000004', 'restricted-prefix'],
    ['a UPC-E', '01234565', 'restricted-prefix'],
    ['a coupon', '9900000000004', 'restricted-prefix'],
    ['a refund receipt', '9800000000007', 'restricted-prefix'],
  ])('refuses %s', (_what, text, code) => {
    const reading = readGtin(text);
    expect(reading).toMatchObject({ kind: 'invalid', code });
    expect(reading.kind === 'invalid' && reading.reason).toMatch(/^[A-Z][^\n]{10,90}\.$/);
  });

  it('never throws and gives frozen data, whatever it is handed', () => {
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        expect(Object.isFrozen(readGtin(anything))).toBe(true);
      }),
    );
  });

  it('takes any 13 digits with their check digit, except the reserved ranges', () => {
    fc.assert(
      fc.property(digits(13), (text) => {
        const gtin14 = text + checkDigitOf(text);
        const reading = readGtin(gtin14);
        const outcome = reading.kind === 'valid' ? reading.gtin14 : reading.code;
        expect([gtin14, 'restricted-prefix', 'all-zeros']).toContain(outcome);
      }),
    );
  });

  it('catches every single wrong digit', () => {
    fc.assert(
      fc.property(body, fc.nat(13), fc.integer({ min: 1, max: 9 }), (text, at, by) => {
        const gtin = text + checkDigitOf(text);
        const wrong = String((Number(gtin[at]) + by) % 10);
        expect(readGtin(gtin.slice(0, at) + wrong + gtin.slice(at + 1)).kind).toBe('invalid');
      }),
    );
  });

  it('catches every swap of neighbours, except where they are equal or differ by five', () => {
    fc.assert(
      fc.property(body, fc.nat(12), (text, at) => {
        const gtin = text + checkDigitOf(text);
        const [left, right] = [Number(gtin[at]), Number(gtin[at + 1])];
        const swapped = `${gtin.slice(0, at)}${right}${left}${gtin.slice(at + 2)}`;
        const hidden = Math.abs(left - right) % 5 === 0;
        const sees = checkDigitOf(swapped.slice(0, -1)) !== Number(swapped.at(-1));
        expect(sees).toBe(!hidden);
      }),
    );
  });

  it('gives the same answer however many leading zeros and separators are written', () => {
    fc.assert(
      fc.property(body, fc.nat(6), fc.constantFrom('', ' ', '-'), (text, zeros, separator) => {
        const gtin14 = text + checkDigitOf(text);
        const short = gtin14.replace(new RegExp(`^0{0,${zeros}}`), '');
        expect(readGtin(short.slice(0, 2) + separator + short.slice(2))).toEqual(readGtin(gtin14));
      }),
    );
  });

  it('reads its own normal form to itself', () => {
    fc.assert(
      fc.property(body, (text) => {
        const once = readGtin(text + checkDigitOf(text));
        expect(once.kind === 'valid' && readGtin(once.gtin14)).toEqual(once);
      }),
    );
  });
});

describe('checkDigitOf', () => {
  it.each([
    ['629104150021', 3],
    ['950600013435', 2],
    ['61414112345', 2],
    ['9520000', 2],
  ])('of %s is %i', (text, digit) => {
    expect(checkDigitOf(text)).toBe(digit);
  });

  it('refuses what is not digits, as that is a mistake in the program', () => {
    expect(() => checkDigitOf('12a')).toThrow(RangeError);
    expect(() => checkDigitOf('')).toThrow(RangeError);
  });
});

function valid(gtin14: string, format: string) {
  return { kind: 'valid', gtin14, format };
}
