import { describe, expect, it } from 'vitest';
import { evaluate, readFormula } from './formula.ts';
import { INDICES } from './indices.ts';
import { computeSeconds, statisticsOf } from './raster.ts';
import { SENSORS } from './sensors.ts';

function work(formula: string, bands: Record<string, number> = {}): number | string {
  const reading = readFormula(formula);
  return reading.kind === 'invalid'
    ? reading.reason
    : evaluate(reading.expression, (name) => bands[name] ?? 0);
}

describe('readFormula', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 - 3 - 4', -5],
    ['8 / 2 / 2', 2],
    ['-nir + 1', 0.5],
    ['- -2', 2],
    ['(NIR - red) / (nir + red)', 0.6],
  ])('%s is %d', (formula, value) => {
    expect(work(formula, { nir: 0.5, red: 0.125 })).toBeCloseTo(value);
  });

  it('divides by nothing into nothing', () => {
    expect(work('1 / (nir - nir)', { nir: 0.5 })).toBeNaN();
  });

  it.each([
    '',
    '(',
    '1 +',
    '1 2',
    'nir)',
    'process.exit()',
    'nir; red',
    '`1`',
    '('.repeat(100),
    '-'.repeat(100),
    'a'.repeat(501),
    '1..2',
  ])('refuses %j with a reason', (formula) => {
    expect(work(formula)).toEqual(expect.any(String));
  });

  it('tells which bands it needs', () => {
    expect(readFormula('red + nir * red')).toMatchObject({ bands: ['nir', 'red'] });
  });
});

describe('the indices', () => {
  it.each(INDICES)('$name needs the bands that it says, which some sensor has', (index) => {
    const reading = readFormula(index.formula);
    expect(reading).toMatchObject({ kind: 'valid', bands: index.bands });
    expect(SENSORS.some(({ bands }) => index.bands.every((band) => bands.includes(band)))).toBe(
      true,
    );
  });
});

describe('statisticsOf', () => {
  it('is the same each time, and within the bounds of what it is asked', () => {
    const reading = readFormula('(nir - red) / (nir + red)');
    if (reading.kind === 'invalid') throw new Error(reading.reason);
    const ask = () => statisticsOf('ast_1', reading.expression, [0, 0, 1, 1], 32);
    expect(ask()).toEqual(ask());
    const { min, max, mean } = ask();
    expect(min).toBeGreaterThanOrEqual(-1);
    expect(max).toBeLessThanOrEqual(1);
    expect(mean).toBeCloseTo(0, 0);
  });

  it('says nothing where no pixel has a value', () => {
    const reading = readFormula('1 / 0');
    if (reading.kind === 'invalid') throw new Error(reading.reason);
    expect(statisticsOf('a', reading.expression, [0, 0, 1, 1], 4)).toMatchObject({
      valid_pixels: 0,
      mean: null,
    });
  });

  it('takes longer for more pixels and bands', () => {
    expect(computeSeconds(100, 1)).toBe(1);
    expect(computeSeconds(2048, 2)).toBe(9);
  });
});
