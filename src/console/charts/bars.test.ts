import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toScale } from './bars.ts';

describe('the scale of a chart', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [45, [0, 20, 40, 60]],
    [1000, [0, 500, 1000]],
  ])('for %i is %j', (largest, ticks) => {
    expect(toScale(largest).ticks).toEqual(ticks);
  });

  it('is in whole numbers, reaches the largest, and has few steps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (largest) => {
        const { top, ticks } = toScale(largest);
        expect(ticks.every(Number.isInteger)).toBe(true);
        expect(top).toBeGreaterThanOrEqual(Math.max(1, largest));
        expect(ticks.at(-1)).toBe(top);
        expect(ticks.length).toBeLessThanOrEqual(5);
      }),
    );
  });
});
