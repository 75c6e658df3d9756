/** One change to every event that matches: each under its own tag, so none that changed meanwhile is lost. */
import { ProblemError } from 'plimsoll/server';
import type { Collections } from '../backend.ts';
import { writeEntry } from '../calendar/component.ts';
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
  const entries = new Map(hits.map(({ entry, event }) => [event.uid, entry]));
  const changed: string[] = [];
  for (const [uid, entry] of entries) {
    const from = entry.calendarName;
    if (operation === 'delete') {
      await calendars.removeText(from, uid);
    } else if (operation === 'move') {
      if (from === target || target === undefined) continue;
      await copyOnce(calendars, target, uid, writeEntry(entry, setting.now));
      await calendars.removeText(from, uid);
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

/** A move that was interrupted has left a copy, which counts as moved. */
async function copyOnce(
  calendars: Collections,
  target: string,
  uid: string,
  text: string,
): Promise<void> {
  try {
    await calendars.put(target, uid, text, 'new');
  } catch (error) {
    if (!(error instanceof ProblemError && error.problem.code === 'conflict')) throw error;
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
