/** Todos, which live in calendars: their tools need a calendar scope beside their own. */
import { randomUUID } from 'node:crypto';
import type { Operation } from 'plimsoll/server';
import { creates, deletes, reads, updates } from 'plimsoll/server';
import * as z from 'zod';
import { openEntry, splitList } from '../calendar/component.ts';
import { changeText, listEntries, removeEntry } from '../calendar/entries.ts';
import type { ShownTodo } from '../calendar/todo.ts';
import { changeTodo, showTodo, writeTodo } from '../calendar/todo.ts';
import { found, given } from '../refuse.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { calendarName } from './event-schemas.ts';
import { etag, maybe, Removed, text } from './parameters.ts';

const READ = ['todo:read', 'calendar:read'];
const WRITE = ['todo:write', 'calendar:read'];

const STATUSES = ['NEEDS-ACTION', 'IN-PROCESS', 'COMPLETED', 'CANCELLED'] as const;

const TodoOut = z.object({
  calendar_name: z.string(),
  uid: z.string(),
  summary: z.string(),
  description: z.string(),
  status: z.string(),
  priority: z.int(),
  percent_complete: z.int(),
  due: z.string().nullable(),
  dtstart: z.string().nullable(),
  completed: z.string().nullable(),
  categories: z.array(z.string()),
  etag,
});
type TodoOut = z.infer<typeof TodoOut>;

const Todos = z.object({ todos: z.array(TodoOut) });

const summary = text().min(1);
const status = z.enum(STATUSES);
const priority = z.int().min(0).max(9);
const when = text(60);
const todoUid = text(500).min(1).describe('UID, as nc_calendar_list_todos returns it');

const filters = {
  status: maybe(status).describe('Only todos in this state'),
  min_priority: maybe(priority).describe(
    'Only todos that are at least as urgent; 1 is the most urgent, 9 the least',
  ),
  categories: maybe(text()).describe('Only todos of one of these categories'),
  summary_contains: maybe(text()).describe('Only todos with this in their summary'),
} as const;

interface TodoFilter {
  readonly status?: string | null | undefined;
  readonly min_priority?: number | null | undefined;
  readonly categories?: string | null | undefined;
  readonly summary_contains?: string | null | undefined;
}

export function todoOperations(groupware: Groupware): readonly Operation[] {
  const { zone, now } = groupware;
  const toOut = (name: string, stored: string, tag: string): TodoOut => {
    const todo = showTodo(found(openEntry(stored, 'vtodo'), 'todo', 'in that text'), zone);
    return { ...todo, categories: [...todo.categories], calendar_name: name, etag: tag };
  };
  return [
    declare(groupware, {
      name: 'nc_calendar_list_todos',
      title: 'List Todo Tasks',
      description: 'Lists the todos of one calendar.',
      input: z.object({ calendar_name: calendarName, ...filters }),
      output: Todos,
      effect: reads('todo', ownAccount),
      scopes: READ,
      run: async ({ calendar_name, ...filter }, { calendars }) => {
        const entries = await listEntries(calendars, 'vtodo', calendar_name);
        return { todos: select(entries, filter, zone) };
      },
    }),

    declare(groupware, {
      name: 'nc_calendar_create_todo',
      title: 'Create Todo Task',
      description: 'Creates a todo in a calendar. A second call creates a second todo.',
      input: z.object({
        calendar_name: calendarName,
        summary: summary.describe('What is to be done'),
        description: text(20_000).default('').describe('Free text'),
        status: status.default('NEEDS-ACTION').describe('State of the todo'),
        priority: priority.default(0).describe('1 is the most urgent, 9 the least, 0 undefined'),
        due: when.default('').describe('When it is due: a date, or a date and time in ISO 8601'),
        dtstart: when.default('').describe('When it starts, written like due'),
        categories: text().default('').describe('Categories, separated by commas'),
      }),
      output: TodoOut,
      effect: creates('todo', ownAccount),
      scopes: WRITE,
      produces: ['todo'],
      run: async ({ calendar_name, ...fields }, { calendars }) => {
        const uid = randomUUID();
        const written = writeTodo(uid, fields, { zone, now: now() });
        const tag = await calendars.put(calendar_name, uid, written, 'new');
        return toOut(calendar_name, written, tag);
      },
    }),

    declare(groupware, {
      name: 'nc_calendar_update_todo',
      title: 'Update Todo Task',
      description:
        'Changes fields of a todo; what is left out stays as it is. It takes no etag: the latest version is changed, and a change that someone makes meanwhile is kept.',
      input: z.object({
        calendar_name: calendarName,
        todo_uid: todoUid,
        summary: maybe(summary).describe('New summary'),
        description: maybe(text(20_000)).describe('New text'),
        status: maybe(status).describe('New state; COMPLETED sets the time of completion'),
        priority: maybe(priority).describe('New priority, 0 to 9'),
        percent_complete: maybe(z.int().min(0).max(100)).describe('How much is done'),
        due: maybe(when).describe('New due date; empty for none'),
        dtstart: maybe(when).describe('New start; empty for none'),
        completed: maybe(when).describe('When it was completed; empty for not'),
        categories: maybe(text()).describe('New categories, separated by commas'),
      }),
      output: TodoOut,
      effect: updates('todo', ownAccount),
      scopes: WRITE,
      run: async ({ calendar_name, todo_uid: uid, ...changes }, { calendars }) => {
        const stored = await changeText(calendars, {
          collection: calendar_name,
          uid,
          what: 'todo',
          change: (before) => changeTodo(before, given(changes), { zone, now: now() }),
        });
        return toOut(calendar_name, stored.text, stored.etag);
      },
    }),

    declare(groupware, {
      name: 'nc_calendar_delete_todo',
      title: 'Delete Todo Task',
      description: 'Permanently deletes a todo.',
      input: z.object({ calendar_name: calendarName, todo_uid: todoUid }),
      output: Removed,
      effect: deletes('todo', ownAccount),
      scopes: WRITE,
      run: async ({ calendar_name, todo_uid }, { calendars }) => ({
        deleted: await removeEntry(calendars, 'vtodo', calendar_name, todo_uid),
      }),
    }),

    declare(groupware, {
      name: 'nc_calendar_search_todos',
      title: 'Search Todo Tasks',
      description: 'Finds todos in all calendars.',
      input: z.object(filters),
      output: Todos,
      effect: reads('todo', ownAccount),
      scopes: READ,
      run: async (filter, { calendars }) => ({
        todos: select(await listEntries(calendars, 'vtodo'), filter, zone),
      }),
    }),
  ];
}

function select(
  entries: Awaited<ReturnType<typeof listEntries>>,
  filter: TodoFilter,
  zone: string,
): TodoOut[] {
  return entries
    .map((entry) => {
      const todo = showTodo(entry, zone);
      const { calendarName: calendar_name, etag: tag } = entry;
      return { ...todo, categories: [...todo.categories], calendar_name, etag: tag };
    })
    .filter((todo) => matches(todo, filter))
    .toSorted((a, b) => (a.summary < b.summary ? -1 : 1));
}

function matches(todo: ShownTodo, filter: TodoFilter): boolean {
  const categories = splitList(filter.categories ?? '').map((each) => each.toLowerCase());
  const least = filter.min_priority ?? 0;
  const wanted = (filter.summary_contains ?? '').toLowerCase();
  return (
    (!filter.status || todo.status === filter.status) &&
    (least === 0 || (todo.priority > 0 && todo.priority <= least)) &&
    todo.summary.toLowerCase().includes(wanted) &&
    (categories.length === 0 ||
      todo.categories.some((each) => categories.includes(each.toLowerCase())))
  );
}
