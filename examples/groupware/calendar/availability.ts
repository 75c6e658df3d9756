/** Free time between busy spans, within the hours of each day that count. Pure. */
import { invalid } from '../refuse.ts';
import { readMoment, toInstant } from './moments.ts';
import type { Range } from './occurrences.ts';

export interface AvailabilityQuery {
  /** Days, `YYYY-MM-DD`, both included. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly minutes: number;
  readonly windows: readonly Window[];
  readonly excludeWeekends: boolean;
  readonly zone: string;
}

/** Times of the day, `HH:MM`. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

export const OFFICE_HOURS: readonly Window[] = [{ from: '09:00', to: '17:00' }];
export const WHOLE_DAY: readonly Window[] = [{ from: '00:00', to: '24:00' }];

/** `09:00-11:00,14:00-16:00` */
export function readWindows(text: string): readonly Window[] {
  return text.split(',').map((part) => {
    const [, from, to] = /^\s*(\d{2}:\d{2})-(\d{2}:\d{2})\s*$/.exec(part) ?? [];
    if (from === undefined || to === undefined || from >= to) {
      throw invalid('/preferred_times', 'Preferred times are written as 09:00-11:00,14:00-16:00.');
    }
    return { from, to };
  });
}

export function findFree(query: AvailabilityQuery, busy: readonly Range[]): readonly Range[] {
  const sorted = busy.toSorted((a, b) => a.from - b.from);
  return daysOf(query).flatMap((day) =>
    query.windows
      .flatMap((window) => gaps(toRange(day, window, query.zone), sorted))
      .filter(({ from, to }) => to - from >= query.minutes * 60_000),
  );
}

const DAY_MS = 86_400_000;

function daysOf({ firstDay, lastDay, excludeWeekends }: AvailabilityQuery): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(firstDay); at <= Date.parse(lastDay); at += DAY_MS) {
    const weekday = new Date(at).getUTCDay();
    if (excludeWeekends && (weekday === 0 || weekday === 6)) continue;
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

function toRange(day: string, { from, to }: Window, zone: string): Range {
  const at = (time: string): number =>
    toInstant(readMoment(`${day}T${time}`, zone, '/preferred_times'), zone);
  if (to !== '24:00') return { from: at(from), to: at(to) };
  const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  return { from: at(from), to: toInstant(readMoment(`${next}T00:00`, zone, '/'), zone) };
}

function gaps(whole: Range, busy: readonly Range[]): readonly Range[] {
  const free: Range[] = [];
  let at = whole.from;
  for (const { from, to } of busy) {
    if (to <= at || from >= whole.to) continue;
    if (from > at) free.push({ from: at, to: from });
    at = Math.max(at, to);
  }
  if (at < whole.to) free.push({ from: at, to: whole.to });
  return free;
}
