/** Which events a caller asks for: a range, in which rules are expanded, and filters. */
import type { Collections } from '../backend.ts';
import { splitList } from './component.ts';
import type { Entry } from './entries.ts';
import { listEntries } from './entries.ts';
import type { ShownEvent, Span } from './event.ts';
import { showEvent } from './event.ts';
import { readMoment, toInstant } from './moments.ts';
import type { Range } from './occurrences.ts';
import { findOccurrences } from './occurrences.ts';

export interface EventFilter {
  readonly title_contains?: string | null | undefined;
  readonly location_contains?: string | null | undefined;
  readonly categories?: string | null | undefined;
  readonly status?: string | null | undefined;
}

/** One event, or one occurrence within the range. */
export interface Hit {
  readonly entry: Entry;
  readonly event: ShownEvent;
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;

/** `undefined` when both ends are open: then events are listed once, with their first occurrence. */
export function toRange(start: string, end: string, zone: string): Range | undefined {
  if (start === '' && end === '') return undefined;
  const from = start === '' ? 0 : toInstant(readMoment(start, zone, '/start_date'), zone);
  if (end === '') return { from, to: from + 366 * DAY_MS };
  const last = readMoment(end, zone, '/end_date');
  // The end of a day is the beginning of the next.
  if (last.isDate) last.adjust(1, 0, 0, 0);
  return { from, to: toInstant(last, zone) };
}

/** In the order of their start. */
export async function findEvents(
  calendars: Collections,
  where: {
    readonly calendarName?: string | undefined;
    readonly range?: Range | undefined;
    readonly filter: EventFilter;
    readonly zone: string;
  },
): Promise<readonly Hit[]> {
  const { zone, range, filter } = where;
  const entries = await listEntries(calendars, 'vevent', where.calendarName);
  const hits = entries.flatMap((entry) => {
    if (range === undefined) {
      const event = showEvent(entry, zone);
      return [{ entry, event, ...toTimes(event, zone) }];
    }
    return findOccurrences(entry, range, zone).map((occurrence) => {
      const span: Span = occurrence;
      const event = showEvent(occurrence.opened, zone, span);
      return {
        entry,
        event,
        from: toInstant(span.start, zone),
        to: toInstant(span.end, zone),
      };
    });
  });
  return hits
    .filter(({ event }) => matches(event, filter))
    .toSorted((a, b) => a.from - b.from || (a.event.uid < b.event.uid ? -1 : 1));
}

function toTimes({ start, end }: ShownEvent, zone: string): Range {
  return {
    from: toInstant(readMoment(start, zone, '/'), zone),
    to: toInstant(readMoment(end, zone, '/'), zone),
  };
}

function matches(event: ShownEvent, filter: EventFilter): boolean {
  const contains = (value: string, wanted: string | null | undefined): boolean =>
    !wanted || value.toLowerCase().includes(wanted.toLowerCase());
  const categories = splitList(filter.categories ?? '').map((each) => each.toLowerCase());
  return (
    contains(event.title, filter.title_contains) &&
    contains(event.location, filter.location_contains) &&
    (!filter.status || event.status === filter.status) &&
    (categories.length === 0 ||
      event.categories.some((each) => categories.includes(each.toLowerCase())))
  );
}
