/** The span of time that a budget counts in: whole minutes, hours, days or months of UTC. */
import type { Budget } from '../decide/verdict.ts';

export interface BudgetSpan {
  /** Milliseconds; the end is the start of the next. */
  readonly start: number;
  readonly end: number;
}

const LENGTHS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export function spanOf(per: Budget['per'], now: number): BudgetSpan {
  if (per === 'month') {
    const date = new Date(now);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
  }
  const start = Math.floor(now / LENGTHS[per]) * LENGTHS[per];
  return { start, end: start + LENGTHS[per] };
}
