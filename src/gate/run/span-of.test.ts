import { describe, expect, it } from 'vitest';
import { spanOf } from './span-of.ts';

const NOW = Date.UTC(2028, 1, 29, 23, 59, 30, 250);

describe('the span of a budget', () => {
  it.each([
    ['minute', Date.UTC(2028, 1, 29, 23, 59), Date.UTC(2028, 2, 1)],
    ['hour', Date.UTC(2028, 1, 29, 23), Date.UTC(2028, 2, 1)],
    ['day', Date.UTC(2028, 1, 29), Date.UTC(2028, 2, 1)],
    ['month', Date.UTC(2028, 1, 1), Date.UTC(2028, 2, 1)],
  ] as const)('is a whole %s of UTC', (per, start, end) => {
    expect(spanOf(per, NOW)).toEqual({ start, end });
    expect(spanOf(per, end - 1)).toEqual({ start, end });
    expect(spanOf(per, end).start).toBe(end);
  });

  it('goes over the end of a year', () => {
    const december = spanOf('month', Date.UTC(2028, 11, 31, 12));
    expect(december).toEqual({ start: Date.UTC(2028, 11), end: Date.UTC(2029, 0) });
  });
});
