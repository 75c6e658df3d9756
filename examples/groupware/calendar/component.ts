/** One entry of a calendar as an iCalendar text: made, opened and changed with the calendar library. */
import ICAL from 'ical.js';
import { ProblemError } from 'plimsoll/server';
import { invalid } from '../refuse.ts';
import { findZone } from './moments.ts';

export type EntryKind = 'vevent' | 'vtodo';

/** The whole text and its main entry; overridden occurrences are further entries of the same uid. */
export interface Opened {
  readonly calendar: ICAL.Component;
  readonly entry: ICAL.Component;
}

const PRODUCT = '-//Plimsoll//groupware example//EN';

export function newEntry(kind: EntryKind, uid: string, now: Date): Opened {
  const calendar = new ICAL.Component(['vcalendar', [], []]);
  calendar.updatePropertyWithValue('version', '2.0');
  calendar.updatePropertyWithValue('prodid', PRODUCT);
  const entry = new ICAL.Component(kind);
  entry.updatePropertyWithValue('uid', uid);
  const at = ICAL.Time.fromJSDate(now, true);
  entry.updatePropertyWithValue('created', at);
  calendar.addSubcomponent(entry);
  return { calendar, entry };
}

/** `undefined` when the text holds no entry of that kind. */
export function openEntry(text: string, kind: EntryKind): Opened | undefined {
  const calendar = parse(text);
  const entries = calendar.getAllSubcomponents(kind);
  const entry = entries.find((each) => !each.hasProperty('recurrence-id')) ?? entries[0];
  return entry && { calendar, entry };
}

function parse(text: string): ICAL.Component {
  try {
    const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
    if (calendar.name === 'vcalendar') return calendar;
  } catch {
    // The same as a text that is something else.
  }
  throw new ProblemError('conflict', 'The entry is stored in a form that cannot be read.');
}

/** As it is stored, with the definition of every zone that it uses. */
export function writeEntry({ calendar, entry }: Opened, now: Date): string {
  const at = ICAL.Time.fromJSDate(now, true);
  entry.updatePropertyWithValue('dtstamp', at);
  entry.updatePropertyWithValue('last-modified', at);
  const known = new Set(
    calendar.getAllSubcomponents('vtimezone').map((zone) => textOf(zone, 'tzid')),
  );
  for (const name of ['dtstart', 'dtend', 'due']) {
    const zoneName = entry.getFirstProperty(name)?.getFirstParameter('tzid');
    const zone = zoneName === undefined ? undefined : findZone(zoneName);
    if (zoneName === undefined || zone === undefined || known.has(zoneName)) continue;
    known.add(zoneName);
    calendar.addSubcomponent(ICAL.Component.fromString(zone.component.toString()));
  }
  return `${calendar.toString()}\r\n`;
}

/** Sets a property; an empty text or `undefined` removes it. */
export function setText(entry: ICAL.Component, name: string, value: string | undefined): void {
  entry.removeAllProperties(name);
  if (value !== undefined && value !== '') addText(entry, name, value);
}

/** Line breaks are escaped in texts only; anywhere else they would begin a property of their own. */
export function addText(entry: ICAL.Component, name: string, value: string): void {
  const property = new ICAL.Property(name, entry);
  const oneKindOfBreak = value.replaceAll(/\r\n?/g, '\n');
  if (property.type !== 'text' && /\p{Cc}/u.test(value)) {
    throw invalid(`/${name}`, `There are control characters in ${name}. Nothing was changed.`);
  }
  property.setValue(oneKindOfBreak);
  entry.addProperty(property);
}

export function setTime(entry: ICAL.Component, name: string, time: ICAL.Time | undefined): void {
  entry.removeAllProperties(name);
  if (time === undefined) return;
  const property = new ICAL.Property(name, entry);
  if (time.isDate) property.resetType('date');
  property.setValue(time);
  const { zone } = time;
  if (
    !time.isDate &&
    zone !== ICAL.Timezone.utcTimezone &&
    zone?.tzid &&
    zone.tzid !== 'floating'
  ) {
    property.setParameter('tzid', zone.tzid);
  }
  entry.addProperty(property);
}

export function setList(entry: ICAL.Component, name: string, values: readonly string[]): void {
  entry.removeAllProperties(name);
  if (values.length === 0) return;
  const property = new ICAL.Property(name, entry);
  property.setValues([...values]);
  entry.addProperty(property);
}

export function textOf(entry: ICAL.Component, name: string): string {
  const value: unknown = entry.getFirstPropertyValue(name);
  return value === null || value === undefined ? '' : show(value);
}

/** Values are texts and numbers, or objects of the library that write themselves. */
function show(value: unknown): string {
  return `${value as string | number}`;
}

export function numberOf(entry: ICAL.Component, name: string): number {
  return Number(textOf(entry, name)) || 0;
}

export function timeOf(entry: ICAL.Component, name: string): ICAL.Time | undefined {
  const value: unknown = entry.getFirstPropertyValue(name);
  return value instanceof ICAL.Time ? value : undefined;
}

export function listOf(entry: ICAL.Component, name: string): readonly string[] {
  return entry.getAllProperties(name).flatMap((property) => property.getValues().map(show));
}

/** The parts of a comma-separated argument. */
export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
