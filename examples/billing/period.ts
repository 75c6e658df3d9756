/** Billing periods: when one ends, and how much of one is left. Pure; all in UTC. */
import type { BillingCycle } from './documents.ts';

const DAY_MS = 86_400_000;

/**
 * The end of a period that begins then. With an anchor day, periods of months end on that day, or on the last
 * of a month that is too short for it; so the first one can be shorter.
 */
export function periodEnd(
  start: Date,
  { interval, interval_count, anchor_day }: BillingCycle,
): Date {
  if (interval === 'day') return new Date(start.getTime() + interval_count * DAY_MS);
  if (anchor_day === undefined) return atDay(start, interval_count, start.getUTCDate());
  const sameMonth = atDay(start, 0, anchor_day);
  const isShort = sameMonth.getTime() > start.getTime();
  // What begins on its anchor lasts whole months; anything else first ends on the next anchor.
  const isOnAnchor = start.getUTCDate() === atDay(start, 0, anchor_day).getUTCDate();
  if (isOnAnchor) return atDay(start, interval_count, anchor_day);
  return isShort ? sameMonth : atDay(start, 1, anchor_day);
}

/** How long a whole period is that ends then. */
export function fullPeriodMs(
  end: Date,
  { interval, interval_count, anchor_day }: BillingCycle,
): number {
  if (interval === 'day') return interval_count * DAY_MS;
  const day = anchor_day ?? end.getUTCDate();
  return end.getTime() - atDay(end, -interval_count, day).getTime();
}

/** A part of an amount for a part of a time, rounded to the cent, halves up. */
export function prorate(amount: number, part: number, whole: number): number {
  if (part >= whole) return amount;
  if (part <= 0) return 0;
  // Whole numbers throughout, so that no cent is lost to a fraction that doubles cannot hold.
  const doubled = BigInt(amount) * BigInt(Math.round(part)) * 2n;
  return Number((doubled + BigInt(Math.round(whole))) / (2n * BigInt(Math.round(whole))));
}

function atDay(from: Date, months: number, day: number): Date {
  const first = new Date(from);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, last));
  return first;
}
