/** Events of calendars: created, listed, read, updated and deleted. */
import { randomUUID } from 'node:crypto';
import type { Operation } from 'plimsoll/server';
import { creates, deletes, reads, updates } from 'plimsoll/server';
import * as z from 'zod';
import type { Collections } from '../backend.ts';
import { openEntry } from '../calendar/component.ts';
import { changeText, findEntry, removeEntry } from '../calendar/entries.ts';
import type { Hit } from '../calendar/event-query.ts';
import { findEvents, toRange } from '../calendar/event-query.ts';
import type { EventFields } from '../calendar/event.ts';
import { changeEvent, showEvent, writeEvent } from '../calendar/event.ts';
import { fromInstant, readMoment, showMoment, toInstant } from '../calendar/moments.ts';
import { found, given } from '../refuse.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import {
  calendarName,
  endDate,
  eventChanges,
  eventFields,
  eventFilters,
  EventOut,
  eventUid,
  startDate,
} from './event-schemas.ts';
import { limit, maybe, Removed, text } from './parameters.ts';

const READ = ['calendar:read'];
const WRITE = ['calendar:write'];

const Events = z.object({ events: z.array(EventOut) });

const DAY_MS = 86_400_000;

export function eventOperations(groupware: Groupware): readonly Operation[] {
  const { zone, now } = groupware;
  const create = async (
    calendars: Collections,
    name: string,
    fields: EventFields,
  ): Promise<EventOut> => {
    const uid = randomUUID();
    const written = writeEvent(uid, fields, { zone, now: now() });
    const etag = await calendars.put(name, uid, written, 'new');
    return toEventOut(name, written, etag, zone);
  };

  return [
    declare(groupware, {
      name: 'nc_calendar_create_event',
      title: 'Create Calendar Event',
      description: 'Creates an event, once or repeating. A second call creates a second event.',
      input: z.object({
        calendar_name: calendarName,
        ...eventFields,
        end_datetime: eventFields.end_datetime.default(''),
        all_day: eventFields.all_day.default(false),
        description: eventFields.description.default(''),
        location: eventFields.location.default(''),
        categories: eventFields.categories.default(''),
        recurring: eventFields.recurring.default(false),
        recurrence_rule: eventFields.recurrence_rule.default(''),
        recurrence_end_date: text(60).default('').describe('Last day of a rule that ends'),
        reminder_minutes: eventFields.reminder_minutes.default(15),
        reminder_email: eventFields.reminder_email.default(false),
        status: eventFields.status.default('CONFIRMED'),
        priority: eventFields.priority.default(5),
        privacy: eventFields.privacy.default('PUBLIC'),
        attendees: eventFields.attendees.default(''),
        url: eventFields.url.default(''),
        color: eventFields.color.default(''),
      }),
      output: EventOut,
      effect: creates('event', ownAccount),
      scopes: WRITE,
      produces: ['event'],
      run: ({ calendar_name, all_day, recurring, ...fields }, { calendars }) =>
        create(calendars, calendar_name, {
          ...fields,
          ...(recurring && { recurring }),
          // A start without a time makes an event of whole days by itself.
          ...(all_day && { all_day }),
        }),
    }),

    declare(groupware, {
      name: 'nc_calendar_list_events',
      title: 'List Calendar Events',
      description:
        'Lists events by their start. Within a range, repeating events are listed once for each time they happen.',
      input: z.object({
        calendar_name: calendarName,
        start_date: startDate,
        end_date: endDate,
        limit: limit(50).describe('How many to return at most'),
        min_attendees: maybe(z.int().min(0)).describe('Only events with as many attendees'),
        min_duration_minutes: maybe(z.int().min(0)).describe('Only events that last as long'),
        ...eventFilters,
        search_all_calendars: z.boolean().default(false).describe('Look in every calendar'),
      }),
      output: Events,
      effect: reads('event', ownAccount),
      scopes: READ,
      run: async (input, { calendars }) => {
        const hits = await findEvents(calendars, {
          calendarName: input.search_all_calendars ? undefined : input.calendar_name,
          range: toRange(input.start_date, input.end_date, zone),
          filter: input,
          zone,
        });
        const wanted = hits.filter(
          ({ event, from, to }) =>
            event.attendees.length >= (input.min_attendees ?? 0) &&
            to - from >= (input.min_duration_minutes ?? 0) * 60_000,
        );
        return { events: wanted.slice(0, input.limit).map(toListed) };
      },
    }),

    declare(groupware, {
      name: 'nc_calendar_get_event',
      title: 'Get Calendar Event',
      description: 'Returns one event, with the etag that nc_calendar_update_event takes.',
      input: z.object({ calendar_name: calendarName, event_uid: eventUid }),
      output: EventOut,
      effect: reads('event', ownAccount),
      scopes: READ,
      run: async ({ calendar_name, event_uid }, { calendars }) => {
        const entry = await findEntry(calendars, 'vevent', calendar_name, event_uid);
        const { etag, ...opened } = found(entry, 'event', event_uid);
        return { ...toMutable(showEvent(opened, zone)), calendar_name, etag };
      },
    }),

    declare(groupware, {
      name: 'nc_calendar_update_event',
      title: 'Update Calendar Event',
      description:
        'Changes fields of an event; what is left out stays as it is. With the etag from nc_calendar_get_event it fails if the event has changed since then, because the etag is stale. Without an etag the latest version is changed.',
      input: z.object({
        calendar_name: calendarName,
        event_uid: eventUid,
        ...eventChanges,
        etag: text(200).default('').describe('The etag from nc_calendar_get_event; empty for any'),
      }),
      output: EventOut,
      effect: updates('event', { ...ownAccount, repeat: 'version-optional' }),
      scopes: WRITE,
      run: async ({ calendar_name, event_uid: uid, etag, ...changes }, { calendars }) => {
        const stored = await changeText(calendars, {
          collection: calendar_name,
          uid,
          what: 'event',
          etag: etag === '' ? undefined : etag,
          change: (before) => changeEvent(before, given(changes), { zone, now: now() }),
        });
        return toEventOut(calendar_name, stored.text, stored.etag, zone);
      },
    }),

    declare(groupware, {
      name: 'nc_calendar_delete_event',
      title: 'Delete Calendar Event',
      description: 'Permanently deletes an event, with all times that it repeats.',
      input: z.object({ calendar_name: calendarName, event_uid: eventUid }),
      output: Removed,
      effect: deletes('event', ownAccount),
      scopes: WRITE,
      run: async ({ calendar_name, event_uid }, { calendars }) => ({
        deleted: await removeEntry(calendars, 'vevent', calendar_name, event_uid),
      }),
    }),

    declare(groupware, {
      name: 'nc_calendar_create_meeting',
      title: 'Create Meeting',
      description: 'Creates a meeting on one day from its time and length.',
      input: z.object({
        title: eventFields.title,
        date: z.iso.date().describe('Day of the meeting: 2026-03-02'),
        time: z.iso.time({ precision: -1 }).describe('When it begins: 14:30'),
        duration_minutes: z.int().min(1).max(1440).default(60).describe('How long it takes'),
        calendar_name: calendarName.default('personal'),
        attendees: eventFields.attendees.default(''),
        location: eventFields.location.default(''),
        description: eventFields.description.default(''),
        reminder_minutes: eventFields.reminder_minutes.default(15),
      }),
      output: EventOut,
      effect: creates('event', ownAccount),
      scopes: WRITE,
      produces: ['event'],
      run: ({ date, time, duration_minutes, calendar_name, ...fields }, { calendars }) => {
        const start = toInstant(readMoment(`${date}T${time}`, zone, '/time'), zone);
        const end = fromInstant(start + duration_minutes * 60_000, zone);
        return create(calendars, calendar_name, {
          ...fields,
          start_datetime: `${date}T${time}[${zone}]`,
          end_datetime: `${showMoment(end, zone)}[${zone}]`,
        });
      },
    }),

    declare(groupware, {
      name: 'nc_calendar_get_upcoming_events',
      title: 'Get Upcoming Events',
      description: 'Lists what happens in the next days, soonest first.',
      input: z.object({
        calendar_name: text(200).default('').describe('Id of the calendar; empty for all'),
        days_ahead: z.int().min(1).max(366).default(7).describe('How many days to look ahead'),
        limit: limit(10).describe('How many to return at most'),
      }),
      output: Events,
      effect: reads('event', ownAccount),
      scopes: READ,
      run: async ({ calendar_name, days_ahead, limit: most }, { calendars }) => {
        const from = now().getTime();
        const hits = await findEvents(calendars, {
          calendarName: calendar_name === '' ? undefined : calendar_name,
          range: { from, to: from + days_ahead * DAY_MS },
          filter: {},
          zone,
        });
        return { events: hits.slice(0, most).map(toListed) };
      },
    }),
  ];
}

function toListed({ entry, event }: Hit): EventOut {
  return { ...toMutable(event), calendar_name: entry.calendarName, etag: entry.etag };
}

function toEventOut(calendar_name: string, written: string, etag: string, zone: string): EventOut {
  const opened = found(openEntry(written, 'vevent'), 'event', 'in that text');
  return { ...toMutable(showEvent(opened, zone)), calendar_name, etag };
}

/** The schema library types lists as ones that may be changed. */
function toMutable<T extends { categories: readonly string[]; attendees: readonly string[] }>(
  event: T,
): T & { categories: string[]; attendees: string[] } {
  return { ...event, categories: [...event.categories], attendees: [...event.attendees] };
}

/** The day that it is in the zone, `YYYY-MM-DD`. */
export function toDay(instant: number, zone: string): string {
  return showMoment(fromInstant(instant, zone), zone).slice(0, 10);
}
