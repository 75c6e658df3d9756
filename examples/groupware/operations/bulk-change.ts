/** One change to every event that matches: each under its own tag, so none that changed meanwhile is lost. */
import { ProblemError } from 'plimsoll/server';
import type { Collections } from '../backend.ts';
import { textOf } from '../calendar/component.ts';
import type { Entry } from '../calendar/entries.ts';
import { changeText } from '../calendar/entries.ts';
import type { EventFilter } from '../calendar/event-query.ts';
import { findEvents, toRange } from '../calendar/event-query.ts';
import type { EventFields, Setting } from '../calendar/event.ts';
import { changeEvent } from '../calendar/event.ts';
import { found, given, invalid } from '../refuse.ts';

export interface BulkChange extends EventFilter {
  readonly operation?: 'update' | 'delete' | 'move';
  readonly calendar_name?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly new_title?: string;
  readonly new_description?: string;
  readonly new_location?: string;
  readonly new_categories?: string;
  readonly new_priority?: number;
  readonly new_reminder_minutes?: number;
  readonly target_calendar?: string;
}

/** The UIDs of what was changed. */
export async function bulkChange(
  calendars: Collections,
  change: BulkChange,
  setting: Setting,
): Promise<readonly string[]> {
  const { operation, calendar_name: name, start_date = '', end_date = '' } = change;
  const { title_contains, location_contains, categories, status } = change;
  const filter = { title_contains, location_contains, categories, status };
  if ([name, start_date, end_date, ...Object.values(filter)].every((each) => !each)) {
    throw invalid('/operation', 'Without a filter every event would match. Nothing was changed.');
  }
  const target = change.target_calendar;
  if (operation === 'move') await mustExist(calendars, target);
  const hits = await findEvents(calendars, {
    calendarName: name,
    range: toRange(start_date, end_date, setting.zone),
    filter,
    zone: setting.zone,
  });
  // A repeating event is found once for each time it happens.
  const entries = new Set(hits.map(({ entry }) => entry));
  const changed: string[] = [];
  for (const entry of entries) {
    const { calendarName: from, etag } = entry;
    const uid = textOf(entry.entry, 'uid');
    if (operation === 'delete') {
      if (!(await calendars.removeText(from, uid, etag))) continue;
    } else if (operation === 'move') {
      if (from === target || target === undefined) continue;
      await move(calendars, { entry, uid, target });
    } else {
      const fields = toFields(change);
      await changeText(calendars, {
        collection: from,
        uid,
        what: 'event',
        change: (text) => changeEvent(text, fields, setting),
      });
    }
    changed.push(uid);
  }
  return changed;
}

interface Move {
  readonly entry: Entry;
  readonly uid: string;
  readonly target: string;
}

/** The copy comes first, and goes again if the event has changed meanwhile. */
async function move(calendars: Collections, { entry, uid, target }: Move): Promise<void> {
  const text = `${entry.calendar.toString()}\r\n`;
  const isNew = await copyOnce(calendars, target, uid, text);
  try {
    await calendars.removeText(entry.calendarName, uid, entry.etag);
  } catch (error) {
    const isStale = error instanceof ProblemError && error.problem.code === 'stale-version';
    if (isStale && isNew) await calendars.removeText(target, uid);
    throw error;
  }
}

/** A move that was interrupted has left the same text there; anything else under that UID stays. */
async function copyOnce(
  calendars: Collections,
  target: string,
  uid: string,
  text: string,
): Promise<boolean> {
  try {
    await calendars.put(target, uid, text, 'new');
    return true;
  } catch (error) {
    const isTaken = error instanceof ProblemError && error.problem.code === 'conflict';
    if (!isTaken || (await calendars.find(target, uid))?.text !== text) throw error;
    return false;
  }
}

async function mustExist(calendars: Collections, name: string | undefined): Promise<void> {
  if (name === undefined || name === '')
    throw invalid('/target_calendar', 'A move needs a target.');
  found(
    (await calendars.list()).find(({ id }) => id === name),
    'calendar',
    name,
  );
}

function toFields(change: BulkChange): EventFields {
  return given({
    title: change.new_title,
    description: change.new_description,
    location: change.new_location,
    categories: change.new_categories,
    priority: change.new_priority,
    reminder_minutes: change.new_reminder_minutes,
  });
}
