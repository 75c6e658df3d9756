import { describe, expect, it } from 'vitest';
import { randomFrom } from './random.ts';

describe('randomFrom', () => {
  it('repeats itself from the same seed, and differs from another', () => {
    expect(numbersFrom(1)).toEqual(numbersFrom(1));
    expect(numbersFrom(1)).not.toEqual(numbersFrom(2));
    expect(new Set(numbersFrom(1)).size).toBe(50);
  });

  it('spreads whole numbers over the whole range', () => {
    const random = randomFrom(3);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let turn = 0; turn < 10_000; turn += 1) {
      const at = random.int(10);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    expect(counts).toHaveLength(10);
    expect(Math.min(...counts)).toBeGreaterThan(850);
  });

  it('refuses to pick from nothing', () => {
    expect(() => randomFrom(1).pick([])).toThrow(RangeError);
  });
});

function numbersFrom(seed: number): readonly number[] {
  const random = randomFrom(seed);
  return Array.from({ length: 50 }, () => random.int(1_000_000));
}
