/** When an event happens within a range: every occurrence, with exceptions, in the event's own zone. */
import ICAL from 'ical.js';
import type { Opened } from './component.ts';
import { timeOf } from './component.ts';
import type { Span } from './event.ts';
import { toInstant } from './moments.ts';
import { bound } from './rule.ts';

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
/** One that repeats every minute or second, which only other programs write, is not worth more. */
const MOST_STEPS_OF_FREQUENT = 2000;

const DAY_MS = 86_400_000;

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
  // An occurrence may have been moved here from after the range.
  const moved = overridden.map((each) => timeOf(each, 'recurrence-id'));
  const last = Math.max(
    range.to,
    ...moved.map((time) => (time === undefined ? 0 : toInstant(time, zone) + 1)),
  );
  // Until shortly before the range, days are compared without their zones, which is much faster.
  const lead = 2 * DAY_MS + event.duration.toSeconds() * 1000;
  const isLongBefore = (time: ICAL.Time): boolean =>
    overridden.length === 0 && toRoughInstant(time) + lead < range.from;
  const found: Occurrence[] = [];
  for (const next of steps(event)) {
    if (isLongBefore(next)) continue;
    if (toInstant(next, zone) >= last) break;
    const details = event.getOccurrenceDetails(next) as Details;
    const span = { start: details.startDate, end: details.endDate };
    const { component } = details.item;
    if (isWithin(span)) found.push({ ...span, opened: { calendar, entry: component } });
  }
  return found;
}

/** Ends early where the rule cannot be followed any further. */
function* steps(event: ICAL.Event): Generator<ICAL.Time> {
  const rules = event.component
    .getAllProperties('rrule')
    .flatMap((property) => property.getValues() as ICAL.Recur[]);
  for (const rule of rules) bound(rule);
  const isFrequent = rules.some(({ freq }) => freq === 'MINUTELY' || freq === 'SECONDLY');
  const most = isFrequent ? MOST_STEPS_OF_FREQUENT : MOST_STEPS;
  try {
    const iterator = event.iterator();
    for (let step = 0; step < most; step += 1) {
      const next = iterator.next() as ICAL.Time | undefined | null;
      if (!next) return;
      yield next;
    }
  } catch {
    // The library refuses some rules only when it follows them.
  }
}

function toRoughInstant({ year, month, day, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
