import { describe, expect, it } from 'vitest';
import { openRandomHex } from './random-hex.ts';

describe('openRandomHex', () => {
  it.each([1, 7, 19, 32])('gives %d digits', (digits) => {
    const next = openRandomHex(digits);
    for (let times = 0; times < 1000; times += 1) {
      expect(next()).toMatch(new RegExp(`^[\\da-f]{${digits}}$`));
    }
  });

  it('gives other ones every time, and every digit at every place', () => {
    const given = Array.from({ length: 2000 }, openRandomHex(19));
    expect(new Set(given).size).toBe(given.length);
    for (let place = 0; place < 19; place += 1) {
      expect(new Set(given.map((hex) => hex[place])).size).toBe(16);
    }
  });
});
