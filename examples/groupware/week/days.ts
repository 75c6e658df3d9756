/**
 * The days of an office week that any standard server can take part in: files, calendars and contacts.
 * Each is checked by what it leaves behind, and can run on an account that is used already.
 */
import assert from 'node:assert/strict';
import type { Worker } from './worker.ts';

/** Directories, odd names, text and bytes, moves and copies with and without overwriting. */
export async function workOnFiles(worker: Worker, base: string): Promise<void> {
  await worker.do('nc_webdav_create_directory', { path: base });
  const again = await worker.do('nc_webdav_create_directory', { path: base });
  assert.equal(again['created'], false);
  const odd = `${base}/Größe & Co #1 100% [a] 'b' 漢字 +?.md`;
  await worker.do('nc_webdav_write_file', {
    path: odd,
    content: 'eins\n',
    content_type: 'text/markdown',
  });
  await worker.do('nc_webdav_write_file', {
    path: odd,
    content: 'zwei ümläut\n',
    content_type: 'text/markdown',
  });
  const read = await worker.do('nc_webdav_read_file', { path: odd });
  assert.equal(read['content'], 'zwei ümläut\n');
  const bytes = Buffer.from([0, 255, 1, 254, 137]).toString('base64');
  await worker.do('nc_webdav_write_file', {
    path: `${base}/pixel.png`,
    content: bytes,
    content_type: 'image/png;base64',
  });
  const binary = await worker.do('nc_webdav_read_file', { path: `${base}/pixel.png` });
  assert.deepEqual([binary['content'], binary['encoding']], [bytes, 'base64']);
  await worker.do('nc_webdav_create_directory', { path: `${base}/Archive` });
  await worker.do('nc_webdav_copy_resource', {
    source_path: odd,
    destination_path: `${base}/Archive/copy.md`,
  });
  await worker.do('nc_webdav_move_resource', {
    source_path: `${base}/pixel.png`,
    destination_path: `${base}/Archive/pixel.png`,
  });
  await worker.do('nc_webdav_copy_resource', {
    source_path: `${base}/Archive/copy.md`,
    destination_path: `${base}/Archive/pixel.png`,
    overwrite: true,
  });
  const items = await worker.list('nc_webdav_list_directory', 'items', { path: `${base}/Archive` });
  assert.deepEqual(
    items.map(({ name }) => name),
    ['copy.md', 'pixel.png'],
  );
  const named = await worker.list('nc_webdav_find_by_name', 'results', {
    pattern: '%.md',
    scope: base,
  });
  assert.deepEqual(
    named.map(({ path }) => path),
    [`${base}/Archive/copy.md`, odd],
  );
  await worker.do('nc_webdav_find_by_type', { mime_type: 'text/', scope: base });
  await worker.do('nc_webdav_search_files', { scope: base, name_pattern: 'COPY%' });
  const gone = await worker.do('nc_webdav_delete_resource', { path: `${base}/Archive` });
  const goneAgain = await worker.do('nc_webdav_delete_resource', { path: `${base}/Archive` });
  assert.deepEqual([gone['deleted'], goneAgain['deleted']], [true, false]);
}

/** Single, whole-day and repeating events over the change to summer time, and todos. */
export async function workOnCalendar(worker: Worker, calendar: string): Promise<void> {
  await worker.do('nc_calendar_manage_calendar', {
    action: 'create',
    calendar_name: calendar,
    display_name: 'Team',
  });
  await worker.do('nc_calendar_manage_calendar', {
    action: 'update',
    calendar_name: calendar,
    display_name: 'Whole team',
  });
  await worker.list('nc_calendar_list_calendars', 'calendars');
  const standUp = await worker.do('nc_calendar_create_event', {
    calendar_name: calendar,
    title: 'Stand-up, daily; "short"',
    start_datetime: '2026-03-23T09:00[Europe/Berlin]',
    end_datetime: '2026-03-23T09:15[Europe/Berlin]',
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TH',
    recurrence_end_date: '2026-04-06',
    categories: 'Work,Daily',
    attendees: 'ines@example.com, tomas@example.com',
  });
  const times = await worker.list('nc_calendar_list_events', 'events', {
    calendar_name: calendar,
    start_date: '2026-03-20',
    end_date: '2026-04-20',
  });
  assert.deepEqual(
    times.map(({ start }) => start),
    [
      '2026-03-23T09:00:00+01:00',
      '2026-03-26T09:00:00+01:00',
      '2026-03-30T09:00:00+02:00',
      '2026-04-02T09:00:00+02:00',
      '2026-04-06T09:00:00+02:00',
    ],
  );
  const event = { calendar_name: calendar, event_uid: standUp['uid'] };
  const before = await worker.do('nc_calendar_get_event', event);
  const after = await worker.do('nc_calendar_update_event', {
    ...event,
    location: 'Room 4',
    etag: before['etag'],
  });
  assert.equal(after['title'], before['title']);
  assert.equal(after['recurrence_rule'], before['recurrence_rule']);
  assert.notEqual(after['etag'], before['etag']);
  await worker.do('nc_calendar_create_event', {
    calendar_name: calendar,
    title: 'Offsite',
    start_datetime: '2026-03-24',
    end_datetime: '2026-03-26',
  });
  await worker.do('nc_calendar_create_meeting', {
    title: 'Review',
    date: '2026-03-27',
    time: '13:00',
    duration_minutes: 90,
    calendar_name: calendar,
  });
  await worker.do('nc_calendar_get_upcoming_events', { calendar_name: calendar, days_ahead: 366 });
  await worker.do('nc_calendar_find_availability', {
    duration_minutes: 60,
    date_range_start: '2026-03-27',
    date_range_end: '2026-03-27',
  });
  await worker.do('nc_calendar_bulk_operations', {
    operation: 'update',
    calendar_name: calendar,
    title_contains: 'review',
    new_priority: 1,
  });
  await workOnTodos(worker, calendar);
  await worker.do('nc_calendar_bulk_operations', {
    operation: 'delete',
    calendar_name: calendar,
    title_contains: 'offsite',
  });
  const gone = await worker.do('nc_calendar_delete_event', event);
  const goneAgain = await worker.do('nc_calendar_delete_event', event);
  assert.deepEqual([gone['deleted'], goneAgain['deleted']], [true, false]);
  await worker.do('nc_calendar_manage_calendar', { action: 'delete', calendar_name: calendar });
  await worker.do('nc_calendar_manage_calendar', { action: 'list' });
}

async function workOnTodos(worker: Worker, calendar: string): Promise<void> {
  const todo = await worker.do('nc_calendar_create_todo', {
    calendar_name: calendar,
    summary: 'Book the room',
    due: '2026-03-26T12:00:00Z',
    priority: 2,
    categories: 'Work',
  });
  await worker.do('nc_calendar_create_todo', { calendar_name: calendar, summary: 'Water plants' });
  const urgent = await worker.list('nc_calendar_list_todos', 'todos', {
    calendar_name: calendar,
    min_priority: 3,
  });
  assert.deepEqual(
    urgent.map(({ summary }) => summary),
    ['Book the room'],
  );
  const done = await worker.do('nc_calendar_update_todo', {
    calendar_name: calendar,
    todo_uid: todo['uid'],
    status: 'COMPLETED',
    percent_complete: 100,
  });
  assert.equal(done['due'], '2026-03-26T12:00:00Z');
  await worker.do('nc_calendar_search_todos', { summary_contains: 'room', status: 'COMPLETED' });
  await worker.do('nc_calendar_delete_todo', { calendar_name: calendar, todo_uid: todo['uid'] });
}

export async function workOnContacts(worker: Worker, book: string): Promise<void> {
  await worker.do('nc_contacts_create_addressbook', { name: book, display_name: 'Suppliers' });
  await worker.do('nc_contacts_list_addressbooks');
  const ada = { addressbook: book, uid: 'ada@example' };
  await worker.do('nc_contacts_create_contact', {
    ...ada,
    contact_data: {
      fn: 'Ada Byron, Countess; "Lovelace"',
      email: ['ada@example.com', 'work@example.com'],
      tel: ['+44 20 7946 0000'],
      org: 'Analytical; Engines',
      note: 'First line\nSecond line, with a comma',
      categories: ['Science', 'Friends, old'],
    },
  });
  const [listed] = await worker.list('nc_contacts_list_contacts', 'contacts', {
    addressbook: book,
  });
  const changed = await worker.do('nc_contacts_update_contact', {
    ...ada,
    contact_data: { title: 'Programmer' },
    etag: listed?.['etag'],
  });
  assert.deepEqual(
    [changed['fn'], changed['email'], changed['title'], changed['org']],
    [listed?.['fn'], ['ada@example.com', 'work@example.com'], 'Programmer', 'Analytical; Engines'],
  );
  const gone = await worker.do('nc_contacts_delete_contact', ada);
  const goneAgain = await worker.do('nc_contacts_delete_contact', ada);
  assert.deepEqual([gone['deleted'], goneAgain['deleted']], [true, false]);
  await worker.do('nc_contacts_delete_addressbook', { name: book });
}
