/** Todos: from arguments to an iCalendar text and back. What an update does not name stays as it is. */
import type ICAL from 'ical.js';
import type { Opened } from './component.ts';
import {
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
import type { Setting } from './event.ts';
import { fromInstant, readMoment, showMoment } from './moments.ts';

export interface TodoFields {
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: string | undefined;
  readonly priority?: number | undefined;
  readonly percent_complete?: number | undefined;
  readonly due?: string | undefined;
  readonly dtstart?: string | undefined;
  readonly completed?: string | undefined;
  readonly categories?: string | undefined;
}

export function writeTodo(uid: string, fields: TodoFields, setting: Setting): string {
  const opened = newEntry('vtodo', uid, setting.now);
  apply(opened.entry, fields, setting);
  return writeEntry(opened, setting.now);
}

/** The text with the given fields changed, or `undefined` when it holds no todo. */
export function changeTodo(text: string, fields: TodoFields, setting: Setting): string | undefined {
  const opened = openEntry(text, 'vtodo');
  if (opened === undefined) return undefined;
  apply(opened.entry, fields, setting);
  return writeEntry(opened, setting.now);
}

function apply(entry: ICAL.Component, fields: TodoFields, setting: Setting): void {
  const { summary, description, status, priority, percent_complete: percent } = fields;
  for (const [name, value] of Object.entries({ summary, description, status })) {
    if (value !== undefined) setText(entry, name, value);
  }
  if (priority !== undefined) entry.updatePropertyWithValue('priority', priority);
  if (percent !== undefined) entry.updatePropertyWithValue('percent-complete', percent);
  if (fields.categories !== undefined) setList(entry, 'categories', splitList(fields.categories));
  for (const name of ['due', 'dtstart', 'completed'] as const) {
    const text = fields[name];
    if (text === undefined) continue;
    const time = text === '' ? undefined : readMoment(text, setting.zone, `/${name}`);
    setTime(entry, name, time);
  }
  if (status === 'COMPLETED' && fields.completed === undefined && !entry.hasProperty('completed')) {
    setTime(entry, 'completed', fromInstant(setting.now.getTime(), 'UTC'));
  }
}

export interface ShownTodo {
  readonly uid: string;
  readonly summary: string;
  readonly description: string;
  readonly status: string;
  readonly priority: number;
  readonly percent_complete: number;
  readonly due: string | null;
  readonly dtstart: string | null;
  readonly completed: string | null;
  readonly categories: readonly string[];
}

export function showTodo({ entry }: Opened, zone: string): ShownTodo {
  const show = (name: string): string | null => {
    const time = timeOf(entry, name);
    return time === undefined ? null : showMoment(time, zone);
  };
  return {
    uid: textOf(entry, 'uid'),
    summary: textOf(entry, 'summary'),
    description: textOf(entry, 'description'),
    status: textOf(entry, 'status') || 'NEEDS-ACTION',
    priority: numberOf(entry, 'priority'),
    percent_complete: numberOf(entry, 'percent-complete'),
    due: show('due'),
    dtstart: show('dtstart'),
    completed: show('completed'),
    categories: listOf(entry, 'categories'),
  };
}
