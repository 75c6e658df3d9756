/** The parameters and the result of event tools. */
import * as z from 'zod';
import { etag, maybe, text } from './parameters.ts';

export const calendarName = text(200).min(1).describe('Id of the calendar: personal');
export const eventUid = text(500).min(1).describe('UID of the event');

const WHEN = 'ISO 8601, with Z, an offset or a zone: 2026-03-02T09:00[Europe/Berlin]';
const STATUSES = ['CONFIRMED', 'TENTATIVE', 'CANCELLED'] as const;
const PRIVACY = ['PUBLIC', 'PRIVATE', 'CONFIDENTIAL'] as const;

export const eventFields = {
  title: text().min(1).describe('Title of the event'),
  start_datetime: text(60).min(1).describe(`Start: a date, or a date and time in ${WHEN}`),
  end_datetime: text(60).describe('End, written like the start; empty for one hour or one day'),
  all_day: z.boolean().describe('Whether it takes whole days'),
  description: text(20_000).describe('Free text'),
  location: text().describe('Where it takes place'),
  categories: text().describe('Categories, separated by commas'),
  recurring: z.boolean().describe('Whether it repeats; false removes the rule'),
  recurrence_rule: text(500).describe('RRULE of iCalendar: FREQ=WEEKLY;BYDAY=MO'),
  reminder_minutes: z.int().min(0).max(40_320).describe('Minutes before the start; 0 for none'),
  reminder_email: z.boolean().describe('Whether to remind by mail, too'),
  status: z.enum(STATUSES).describe('State of the event'),
  priority: z.int().min(0).max(9).describe('1 is the highest, 9 the lowest, 0 undefined'),
  privacy: z.enum(PRIVACY).describe('Who sees the details'),
  attendees: text(5000).describe('Mail addresses, separated by commas'),
  url: text(2000).describe('A related address'),
  color: text(40).describe('Colour: #1976D2'),
} as const;

/** Every field optional: what is left out stays as it is. */
export const eventChanges = {
  title: maybe(eventFields.title).describe('New title'),
  start_datetime: maybe(eventFields.start_datetime).describe(`New start: a date, or ${WHEN}`),
  end_datetime: maybe(eventFields.end_datetime).describe('New end; without it the length stays'),
  all_day: maybe(eventFields.all_day).describe('Whether it takes whole days'),
  description: maybe(eventFields.description).describe('New text'),
  location: maybe(eventFields.location).describe('New place'),
  categories: maybe(eventFields.categories).describe('New categories, separated by commas'),
  recurring: maybe(eventFields.recurring).describe('false removes the rule'),
  recurrence_rule: maybe(eventFields.recurrence_rule).describe('New RRULE of iCalendar'),
  reminder_minutes: maybe(eventFields.reminder_minutes).describe('New reminder; 0 for none'),
  reminder_email: maybe(eventFields.reminder_email).describe('Whether to remind by mail, too'),
  status: maybe(eventFields.status).describe('New state'),
  priority: maybe(eventFields.priority).describe('New priority, 0 to 9'),
  privacy: maybe(eventFields.privacy).describe('Who sees the details'),
  attendees: maybe(eventFields.attendees).describe('All mail addresses, separated by commas'),
  url: maybe(eventFields.url).describe('New related address'),
  color: maybe(eventFields.color).describe('New colour'),
} as const;

export const EventOut = z.object({
  calendar_name: z.string(),
  uid: z.string(),
  title: z.string(),
  start: z.string(),
  end: z.string(),
  all_day: z.boolean(),
  timezone: z.string().nullable(),
  description: z.string(),
  location: z.string(),
  categories: z.array(z.string()),
  recurring: z.boolean(),
  recurrence_rule: z.string(),
  reminder_minutes: z.number().nullable(),
  reminder_email: z.boolean(),
  status: z.string(),
  priority: z.int(),
  privacy: z.string(),
  attendees: z.array(z.string()),
  url: z.string(),
  color: z.string(),
  etag,
});

export type EventOut = z.infer<typeof EventOut>;

export const eventFilters = {
  title_contains: maybe(text()).describe('Only events with this in their title'),
  location_contains: maybe(text()).describe('Only events with this in their place'),
  categories: maybe(text()).describe('Only events of one of these categories'),
  status: maybe(z.enum(STATUSES)).describe('Only events in this state'),
} as const;

const day = text(60).default('');
export const startDate = day.describe('Only what is after this date or time');
export const endDate = day.describe(
  'Only what is before the end of this date, or before this time',
);
