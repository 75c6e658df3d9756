/** Whole calendars, free time in them, and changes to many events at once. */
import type { Operation } from 'plimsoll/server';
import { creates, deletes, moves, reads, updates, varies, when } from 'plimsoll/server';
import * as z from 'zod';
import { findFree, OFFICE_HOURS, readWindows, WHOLE_DAY } from '../calendar/availability.ts';
import { findEvents, toRange } from '../calendar/event-query.ts';
import { splitList } from '../calendar/component.ts';
import { fromInstant, showMoment } from '../calendar/moments.ts';
import { given, invalid } from '../refuse.ts';
import { bulkChange } from './bulk-change.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { eventFields, eventFilters } from './event-schemas.ts';
import { toDay } from './events.ts';
import { maybe, text } from './parameters.ts';

const READ = ['calendar:read'];
const WRITE = ['calendar:write'];
const DAY_MS = 86_400_000;

const CalendarOut = z.object({
  name: z.string().describe('Id of the calendar'),
  display_name: z.string(),
  description: z.string(),
  color: z.string(),
});

const MANAGE = varies(
  reads('calendar', ownAccount),
  {
    when: when('action', 'create'),
    // A calendar of that name is refused the second time and stays as it is.
    effect: creates('calendar', { ...ownAccount, repeat: 'end-state' }),
  },
  { when: when('action', 'update'), effect: updates('calendar', ownAccount) },
  { when: when('action', 'delete'), effect: deletes('calendar', ownAccount) },
);

const BULK = varies(
  updates('event', ownAccount),
  {
    when: when('operation', 'move'),
    effect: moves('event', { ...ownAccount, repeat: 'end-state' }),
  },
  { when: when('operation', 'delete'), effect: deletes('event', ownAccount) },
);

export function calendarOperations(groupware: Groupware): readonly Operation[] {
  const { zone, now } = groupware;
  return [
    declare(groupware, {
      name: 'nc_calendar_list_calendars',
      title: 'List Calendars',
      description: 'Lists the calendars of the account.',
      input: z.object({}),
      output: z.object({ calendars: z.array(CalendarOut) }),
      effect: reads('calendar', ownAccount),
      scopes: READ,
      run: async (_, { calendars }) => ({ calendars: (await calendars.list()).map(toOut) }),
    }),

    declare(groupware, {
      name: 'nc_calendar_find_availability',
      title: 'Find Availability',
      description:
        'Finds time in which nothing is planned, long enough for a meeting. Looks at the calendars of this account only; the attendees are returned with the result.',
      input: z.object({
        duration_minutes: z.int().min(1).max(1440).describe('How long the meeting takes'),
        attendees: eventFields.attendees.default(''),
        date_range_start: text(10).default('').describe('First day; empty for today'),
        date_range_end: text(10).default('').describe('Last day; empty for a week after the first'),
        business_hours_only: z.boolean().default(true).describe('Only between 9:00 and 17:00'),
        exclude_weekends: z.boolean().default(true).describe('Not on Saturdays and Sundays'),
        preferred_times: text(200)
          .default('')
          .describe('Times of the day instead: 09:00-11:00,14:00-16:00'),
      }),
      output: z.object({
        attendees: z.array(z.string()),
        slots: z.array(z.object({ start: z.string(), end: z.string(), minutes: z.int() })),
      }),
      effect: reads('event', ownAccount),
      scopes: READ,
      run: async (input, { calendars }) => {
        const firstDay = day(input.date_range_start) ?? toDay(now().getTime(), zone);
        const week = new Date(Date.parse(firstDay) + 7 * DAY_MS).toISOString().slice(0, 10);
        const lastDay = day(input.date_range_end) ?? week;
        if (Date.parse(lastDay) - Date.parse(firstDay) > 92 * DAY_MS) {
          throw invalid('/date_range_end', 'At most 92 days can be searched at once.');
        }
        const hits = await findEvents(calendars, {
          range: toRange(firstDay, lastDay, zone),
          filter: {},
          zone,
        });
        const busy = hits.filter(({ event }) => event.status !== 'CANCELLED');
        const hours = input.business_hours_only ? OFFICE_HOURS : WHOLE_DAY;
        const windows = input.preferred_times === '' ? hours : readWindows(input.preferred_times);
        const free = findFree(
          {
            firstDay,
            lastDay,
            minutes: input.duration_minutes,
            windows,
            excludeWeekends: input.exclude_weekends,
            zone,
          },
          busy,
        );
        return {
          attendees: [...splitList(input.attendees)],
          slots: free.map(({ from, to }) => ({
            start: showMoment(fromInstant(from, zone), zone),
            end: showMoment(fromInstant(to, zone), zone),
            minutes: (to - from) / 60_000,
          })),
        };
      },
    }),

    declare(groupware, {
      name: 'nc_calendar_bulk_operations',
      title: 'Bulk Calendar Operations',
      description:
        'Updates, deletes or moves every event that matches all given filters; at least one is required. What an update leaves out stays as it is. A repeating event is changed as a whole.',
      input: z.object({
        operation: z.enum(['update', 'delete', 'move']).describe('What to do with the events'),
        ...eventFilters,
        calendar_name: maybe(text(200)).describe('Only events of this calendar'),
        start_date: text(60).default('').describe('Only events after this date or time'),
        end_date: text(60).default('').describe('Only events before the end of this date'),
        new_title: maybe(eventFields.title).describe('Title to write'),
        new_description: maybe(eventFields.description).describe('Text to write'),
        new_location: maybe(eventFields.location).describe('Place to write'),
        new_categories: maybe(eventFields.categories).describe('Categories to write'),
        new_priority: maybe(eventFields.priority).describe('Priority to write, 0 to 9'),
        new_reminder_minutes: maybe(eventFields.reminder_minutes).describe('Reminder to write'),
        target_calendar: maybe(text(200)).describe('Where a move puts the events'),
      }),
      output: z.object({
        operation: z.string(),
        changed: z.array(z.string()).describe('UIDs of the events that were changed'),
      }),
      effect: BULK,
      scopes: WRITE,
      run: async (input, { calendars }) => ({
        operation: input.operation,
        changed: [...(await bulkChange(calendars, given(input), { zone, now: now() }))],
      }),
    }),

    declare(groupware, {
      name: 'nc_calendar_manage_calendar',
      title: 'Manage Calendar',
      description:
        'Lists, creates, updates or deletes calendars. What an update leaves out stays as it is. Deleting a calendar deletes its events.',
      input: z.object({
        action: z.enum(['list', 'create', 'delete', 'update']).describe('What to do'),
        calendar_name: text(200).default('').describe('Id of the calendar; not for list'),
        display_name: text(200).default('').describe('Name that people see'),
        description: text().default('').describe('What it is for'),
        color: maybe(text(40)).describe('Colour; a new calendar is #1976D2 unless stated'),
      }),
      output: z.object({ calendars: z.array(CalendarOut), deleted: z.boolean().optional() }),
      effect: MANAGE,
      scopes: WRITE,
      run: async ({ action, calendar_name: name, display_name, description, color }, account) => {
        const { calendars } = account;
        if (action !== 'list' && !/^[\w.-]+$/.test(name)) {
          throw invalid(
            '/calendar_name',
            'The id of a calendar is made of letters, digits, ., _ and -.',
          );
        }
        const all = async () => (await calendars.list()).map(toOut);
        if (action === 'delete') {
          return { deleted: await calendars.remove(name), calendars: await all() };
        }
        if (action === 'create') {
          const props = { display_name: display_name || name, description };
          await calendars.create(name, { ...props, color: color ?? '#1976D2' });
        }
        if (action === 'update') {
          await calendars.update(name, {
            ...(display_name !== '' && { display_name }),
            ...(description !== '' && { description }),
            ...given({ color }),
          });
        }
        return { calendars: await all() };
      },
    }),
  ];
}

function toOut({
  id,
  ...props
}: {
  id: string;
  display_name: string;
  description: string;
  color: string;
}) {
  return { name: id, ...props };
}

function day(written: string): string | undefined {
  if (written === '') return undefined;
  if (/^\d{4}-\d{2}-\d{2}$/.test(written) && !Number.isNaN(Date.parse(written))) return written;
  throw invalid('/date_range_start', 'A day is written as 2026-03-02.');
}
