/**
 * Dates and times as callers write them, to and from times of the calendar library. A time without an
 * offset or a zone is in the zone of the account.
 */
import ICAL from 'ical.js';
import { tzlib_get_ical_block, tzlib_get_timezones } from 'timezones-ical-library';
import { invalid } from '../refuse.ts';

const zones = new Map<string, ICAL.Timezone | undefined>();

/** A zone by its IANA name, or `undefined`. */
export function findZone(name: string): ICAL.Timezone | undefined {
  if (name === 'UTC') return ICAL.Timezone.utcTimezone;
  if (!zones.has(name)) zones.set(name, makeZone(name));
  return zones.get(name);
}

function makeZone(name: string): ICAL.Timezone | undefined {
  // Asked for an unknown zone, the library writes to the terminal.
  const known = JSON.parse(tzlib_get_timezones(true)) as readonly string[];
  if (!known.includes(name)) return undefined;
  const block = tzlib_get_ical_block(name);
  const text = Array.isArray(block) ? block[0] : block;
  if (typeof text !== 'string' || text === '') return undefined;
  return new ICAL.Timezone(new ICAL.Component(ICAL.parse(text) as unknown[]));
}

const DATE = /^(\d{4}-\d{2}-\d{2})$/;
const TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?(?:\[([\w/+-]+)\])?$/;

/** `2026-03-02`, `2026-03-02T09:00`, with `Z`, `+01:00` or `[Europe/Berlin]` after it. */
export function readMoment(text: string, zoneName: string, pointer: string): ICAL.Time {
  const day = DATE.exec(text)?.[1];
  if (day !== undefined) return checked(ICAL.Time.fromDateString(day), day, pointer);
  const [, date, minutes, seconds = ':00', offset, named] = TIME.exec(text) ?? [];
  if (date === undefined) {
    throw invalid(pointer, `"${text.slice(0, 40)}" is not a date or a date and time in ISO 8601.`);
  }
  const local = `${date}T${minutes}${seconds}`;
  const zone = findZone(named ?? zoneName);
  if (zone === undefined) throw invalid(pointer, `There is no time zone "${named ?? zoneName}".`);
  if (offset === undefined) {
    const time = checked(ICAL.Time.fromDateTimeString(local), local, pointer);
    time.zone = zone;
    return time;
  }
  const instant = new Date(`${local}${offset}`);
  if (Number.isNaN(instant.getTime())) throw invalid(pointer, `${text} is not a time.`);
  const utc = ICAL.Time.fromJSDate(instant, true);
  return named === undefined ? utc : utc.convertToZone(zone);
}

/** The library turns 2026-02-30 into 2026-03-02. */
function checked(time: ICAL.Time, text: string, pointer: string): ICAL.Time {
  if (time.toString() !== text) throw invalid(pointer, `${text} is not a date.`);
  return time;
}

/** A date, or a date and time with its offset. */
export function showMoment(time: ICAL.Time, zoneName: string): string {
  if (time.isDate) return time.toString();
  const settled = settle(time, zoneName);
  const offset = settled.utcOffset();
  const local = settled.toString().slice(0, 19);
  if (settled.zone === ICAL.Timezone.utcTimezone) return `${local}Z`;
  const minutes = Math.abs(offset) / 60;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** Milliseconds since 1970; a date begins at midnight in the zone of the account. */
export function toInstant(time: ICAL.Time, zoneName: string): number {
  return settle(time, zoneName).toUnixTime() * 1000;
}

/** Dates and times without a zone are in the zone of the account. */
function settle(time: ICAL.Time, zoneName: string): ICAL.Time {
  if (!time.isDate && time.zone !== ICAL.Timezone.localTimezone) return time;
  const copy = time.clone();
  copy.isDate = false;
  copy.zone = findZone(zoneName) ?? ICAL.Timezone.utcTimezone;
  return copy;
}

export function fromInstant(instant: number, zoneName: string): ICAL.Time {
  const zone = findZone(zoneName) ?? ICAL.Timezone.utcTimezone;
  return ICAL.Time.fromJSDate(new Date(instant), true).convertToZone(zone);
}
