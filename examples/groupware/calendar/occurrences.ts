/** When an event happens within a range: every occurrence, with exceptions, in the event's own zone. */
import ICAL from 'ical.js';
import type { Opened } from './component.ts';
import type { Span } from './event.ts';
import { toInstant } from './moments.ts';

/** Milliseconds since 1970; the end does not belong to it. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Occurrence extends Span {
  /** The entry that describes this occurrence, which may be an overridden one. */
  readonly opened: Opened;
}

/** What the library tells of one occurrence; its types leave it out. */
interface Details {
  readonly startDate: ICAL.Time;
  readonly endDate: ICAL.Time;
  readonly item: ICAL.Event;
}

/** A rule that begins long ago is followed for this many steps; a daily one reaches 130 years. */
const MOST_STEPS = 50_000;

export function findOccurrences(opened: Opened, range: Range, zone: string): readonly Occurrence[] {
  const { calendar, entry } = opened;
  const overridden = calendar
    .getAllSubcomponents('vevent')
    .filter((each) => each.hasProperty('recurrence-id'));
  const event = new ICAL.Event(entry, { exceptions: overridden });
  const isWithin = ({ start, end }: Span): boolean =>
    toInstant(start, zone) < range.to && toInstant(end, zone) > range.from;
  if (!event.isRecurring()) {
    const span = { start: event.startDate, end: event.endDate };
    return isWithin(span) ? [{ ...span, opened }] : [];
  }
  const found: Occurrence[] = [];
  const iterator = event.iterator();
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const next = iterator.next() as ICAL.Time | undefined | null;
    if (!next || toInstant(next, zone) >= range.to) break;
    const details = event.getOccurrenceDetails(next) as Details;
    const span = { start: details.startDate, end: details.endDate };
    const { component } = details.item;
    if (isWithin(span)) found.push({ ...span, opened: { calendar, entry: component } });
  }
  return found;
}
