/** Events: from arguments to an iCalendar text and back. What an update does not name stays as it is. */
import ICAL from 'ical.js';
import { invalid } from '../refuse.ts';
import type { Opened } from './component.ts';
import {
  addText,
  listOf,
  newEntry,
  numberOf,
  openEntry,
  setList,
  setText,
  setTime,
  splitList,
  textOf,
  timeOf,
  writeEntry,
} from './component.ts';
import { readMoment, showMoment } from './moments.ts';
import { readRule, repeats } from './rule.ts';

/** The arguments that describe an event; `undefined` leaves a field as it is. */
export interface EventFields {
  readonly title?: string | undefined;
  readonly start_datetime?: string | undefined;
  readonly end_datetime?: string | undefined;
  readonly all_day?: boolean | undefined;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  readonly categories?: string | undefined;
  readonly recurring?: boolean | undefined;
  readonly recurrence_rule?: string | undefined;
  readonly recurrence_end_date?: string | undefined;
  readonly reminder_minutes?: number | undefined;
  readonly reminder_email?: boolean | undefined;
  readonly status?: string | undefined;
  readonly priority?: number | undefined;
  readonly privacy?: string | undefined;
  readonly attendees?: string | undefined;
  readonly url?: string | undefined;
  readonly color?: string | undefined;
}

export interface Setting {
  /** The zone of the account. */
  readonly zone: string;
  readonly now: Date;
}

export function writeEvent(uid: string, fields: EventFields, setting: Setting): string {
  const opened = newEntry('vevent', uid, setting.now);
  apply(opened.entry, fields, setting);
  return writeEntry(opened, setting.now);
}

/** The text with the given fields changed, or `undefined` when it holds no event. */
export function changeEvent(
  text: string,
  fields: EventFields,
  setting: Setting,
): string | undefined {
  const opened = openEntry(text, 'vevent');
  if (opened === undefined) return undefined;
  apply(opened.entry, fields, setting);
  if (fields.recurring === false) forgetOccurrences(opened);
  opened.entry.updatePropertyWithValue('sequence', numberOf(opened.entry, 'sequence') + 1);
  return writeEntry(opened, setting.now);
}

function apply(entry: ICAL.Component, fields: EventFields, setting: Setting): void {
  const { title, description, location, status, privacy, url, color } = fields;
  const texts = { summary: title, description, location, status, class: privacy, url, color };
  for (const [name, value] of Object.entries(texts)) {
    if (value !== undefined) setText(entry, name, value);
  }
  if (fields.priority !== undefined) entry.updatePropertyWithValue('priority', fields.priority);
  if (fields.categories !== undefined) setList(entry, 'categories', splitList(fields.categories));
  if (fields.attendees !== undefined) setAttendees(entry, splitList(fields.attendees));
  setTimes(entry, fields, setting);
  setRule(entry, fields, setting);
  setReminder(entry, fields);
}

const HOUR_SECONDS = 3600;

function setTimes(entry: ICAL.Component, fields: EventFields, { zone }: Setting): void {
  const before = { start: timeOf(entry, 'dtstart'), end: endOf(entry) };
  const read = (text: string | undefined, pointer: string): ICAL.Time | undefined =>
    text === undefined || text === '' ? undefined : readMoment(text, zone, pointer);
  const given = {
    start: read(fields.start_datetime, '/start_datetime'),
    end: read(fields.end_datetime, '/end_datetime'),
  };
  if (given.start === undefined && given.end === undefined && fields.all_day === undefined) return;
  const isAllDay = fields.all_day ?? given.start?.isDate ?? before.start?.isDate ?? false;
  const start = shape(given.start ?? before.start, isAllDay);
  if (start === undefined) throw invalid('/start_datetime', 'An event needs a start.');
  const length =
    before.start === undefined || before.end === undefined || before.start.isDate !== isAllDay
      ? undefined
      : before.end.subtractDateTz(before.start);
  const end = shape(given.end, isAllDay) ?? after(start, length, isAllDay);
  // An all-day event that ends on the day it begins takes that day.
  if (isAllDay && end.compare(start) === 0) end.adjust(1, 0, 0, 0);
  if (end.compare(start) < 0) throw invalid('/end_datetime', 'The event ends before it begins.');
  setTime(entry, 'dtstart', start);
  entry.removeAllProperties('duration');
  setTime(entry, 'dtend', end);
}

/** Other programs state how long an event takes instead of its end. */
function endOf(entry: ICAL.Component): ICAL.Time | undefined {
  return entry.hasProperty('duration') ? new ICAL.Event(entry).endDate : timeOf(entry, 'dtend');
}

function shape(time: ICAL.Time | undefined, isAllDay: boolean): ICAL.Time | undefined {
  if (time === undefined || time.isDate === isAllDay) return time?.clone();
  if (!isAllDay) throw invalid('/start_datetime', 'An event that is not all day needs a time.');
  return ICAL.Time.fromDateString(time.toString().slice(0, 10));
}

function after(start: ICAL.Time, length: ICAL.Duration | undefined, isAllDay: boolean): ICAL.Time {
  const end = start.clone();
  if (length !== undefined) end.addDuration(length);
  else if (isAllDay) end.adjust(1, 0, 0, 0);
  else end.adjust(0, 0, 0, HOUR_SECONDS);
  return end;
}

/** What was said of single occurrences means nothing for an event that happens once. */
function forgetOccurrences({ calendar, entry }: Opened): void {
  for (const name of ['rdate', 'exdate']) entry.removeAllProperties(name);
  for (const each of calendar.getAllSubcomponents('vevent')) {
    if (each.hasProperty('recurrence-id')) calendar.removeSubcomponent(each);
  }
}

function setRule(entry: ICAL.Component, fields: EventFields, { zone }: Setting): void {
  if (fields.recurring === false) {
    entry.removeAllProperties('rrule');
    return;
  }
  const hasEnd = fields.recurrence_end_date !== undefined && fields.recurrence_end_date !== '';
  if (fields.recurrence_rule === undefined || fields.recurrence_rule === '') {
    if ((fields.recurring === true || hasEnd) && !entry.hasProperty('rrule')) {
      throw invalid('/recurrence_rule', 'An event that repeats needs a rule.');
    }
    return;
  }
  const rule = readRule(fields.recurrence_rule);
  if (fields.recurrence_end_date !== undefined && hasEnd) {
    if (rule.count)
      throw invalid('/recurrence_end_date', 'The rule already ends after COUNT times.');
    const until = readMoment(fields.recurrence_end_date, zone, '/recurrence_end_date');
    if (timeOf(entry, 'dtstart')?.isDate === true) {
      rule.until = ICAL.Time.fromDateString(until.toString().slice(0, 10));
    } else {
      // The whole of the last day counts.
      const last = until.isDate
        ? readMoment(`${until.toString()}T23:59:59`, zone, '/recurrence_end_date')
        : until;
      rule.until = last.convertToZone(ICAL.Timezone.utcTimezone);
    }
  }
  entry.updatePropertyWithValue('rrule', rule);
  const start = timeOf(entry, 'dtstart');
  if (start !== undefined && !repeats(rule, start)) {
    throw invalid(
      '/recurrence_rule',
      'With this start the rule matches no further day. Nothing was changed.',
    );
  }
}

function setAttendees(entry: ICAL.Component, addresses: readonly string[]): void {
  entry.removeAllProperties('attendee');
  for (const address of addresses) addText(entry, 'attendee', `mailto:${address}`);
}

function setReminder(entry: ICAL.Component, fields: EventFields): void {
  const { reminder_minutes: minutes, reminder_email: byMail } = fields;
  if (minutes === undefined && byMail === undefined) return;
  const isByMail = byMail ?? hasMailAlarm(entry);
  const before = minutes ?? reminderOf(entry) ?? 15;
  entry.removeAllSubcomponents('valarm');
  if (before === 0 && minutes !== undefined) return;
  for (const action of isByMail ? ['DISPLAY', 'EMAIL'] : ['DISPLAY']) {
    const alarm = new ICAL.Component('valarm');
    alarm.updatePropertyWithValue('action', action);
    alarm.updatePropertyWithValue('trigger', ICAL.Duration.fromSeconds(-60 * before));
    alarm.updatePropertyWithValue('description', textOf(entry, 'summary'));
    if (action === 'EMAIL') alarm.updatePropertyWithValue('summary', textOf(entry, 'summary'));
    entry.addSubcomponent(alarm);
  }
}

function hasMailAlarm(entry: ICAL.Component): boolean {
  return entry.getAllSubcomponents('valarm').some((alarm) => textOf(alarm, 'action') === 'EMAIL');
}

function reminderOf(entry: ICAL.Component): number | null {
  const [alarm] = entry.getAllSubcomponents('valarm');
  const trigger: unknown = alarm?.getFirstPropertyValue('trigger');
  return trigger instanceof ICAL.Duration ? -trigger.toSeconds() / 60 : null;
}

export interface ShownEvent {
  readonly uid: string;
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly all_day: boolean;
  readonly timezone: string | null;
  readonly description: string;
  readonly location: string;
  readonly categories: readonly string[];
  readonly recurring: boolean;
  readonly recurrence_rule: string;
  readonly reminder_minutes: number | null;
  readonly reminder_email: boolean;
  readonly status: string;
  readonly priority: number;
  readonly privacy: string;
  readonly attendees: readonly string[];
  readonly url: string;
  readonly color: string;
}

export interface Span {
  readonly start: ICAL.Time;
  readonly end: ICAL.Time;
}

/** An event, or one occurrence of it. */
export function showEvent({ entry }: Opened, zone: string, span?: Span): ShownEvent {
  const start = span?.start ?? timeOf(entry, 'dtstart') ?? ICAL.Time.epochTime;
  const end = span?.end ?? new ICAL.Event(entry).endDate ?? start;
  return {
    uid: textOf(entry, 'uid'),
    title: textOf(entry, 'summary'),
    start: showMoment(start, zone),
    end: showMoment(end, zone),
    all_day: start.isDate,
    timezone: entry.getFirstProperty('dtstart')?.getFirstParameter('tzid') ?? null,
    description: textOf(entry, 'description'),
    location: textOf(entry, 'location'),
    categories: listOf(entry, 'categories'),
    recurring: entry.hasProperty('rrule'),
    recurrence_rule: textOf(entry, 'rrule'),
    reminder_minutes: reminderOf(entry),
    reminder_email: hasMailAlarm(entry),
    status: textOf(entry, 'status') || 'CONFIRMED',
    priority: numberOf(entry, 'priority'),
    privacy: textOf(entry, 'class') || 'PUBLIC',
    attendees: listOf(entry, 'attendee').map((address) => address.replace(/^mailto:/i, '')),
    url: textOf(entry, 'url'),
    color: textOf(entry, 'color'),
  };
}
