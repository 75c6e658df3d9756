import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullPeriodMs, periodEnd, prorate } from './period.ts';

const monthly = { interval: 'month', interval_count: 1 } as const;
const day = (text: string) => new Date(`${text}T09:00:00Z`);

describe('periods', () => {
  it.each([
    ['2026-01-15', monthly, '2026-02-15'],
    ['2026-01-31', monthly, '2026-02-28'],
    ['2026-11-30', { ...monthly, interval_count: 3 }, '2027-02-28'],
    ['2026-03-01', { interval: 'day', interval_count: 14 } as const, '2026-03-15'],
    ['2026-03-01', { ...monthly, anchor_day: 15 }, '2026-03-15'],
    ['2026-03-20', { ...monthly, anchor_day: 15 }, '2026-04-15'],
    ['2026-03-15', { ...monthly, anchor_day: 15 }, '2026-04-15'],
    ['2026-02-28', { ...monthly, anchor_day: 31 }, '2026-03-31'],
    ['2026-01-31', { ...monthly, anchor_day: 31 }, '2026-02-28'],
  ])('from %s it ends as its cycle says', (from, cycle, to) => {
    expect(periodEnd(day(from), cycle)).toEqual(day(to));
  });

  it('knows how long a whole one is', () => {
    expect(fullPeriodMs(day('2026-03-15'), monthly)).toBe(28 * 86_400_000);
  });
});

describe('proration', () => {
  it('rounds to the cent, halves up', () => {
    expect(prorate(3000, 14, 28)).toBe(1500);
    expect(prorate(1001, 1, 2)).toBe(501);
    expect(prorate(1000, 1, 3)).toBe(333);
    expect(prorate(1000, 0, 3)).toBe(0);
    expect(prorate(1000, 4, 3)).toBe(1000);
  });

  it('loses no cent: what is used and what is left differ from the whole by one cent at most', () => {
    const amounts = fc.integer({ min: 1, max: 99_999_999 });
    const whole = 30 * 86_400_000;
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: whole }), (amount, part) => {
        const both = prorate(amount, part, whole) + prorate(amount, whole - part, whole);
        expect(both - amount).toBeGreaterThanOrEqual(0);
        expect(both - amount).toBeLessThanOrEqual(1);
      }),
    );
  });
});
