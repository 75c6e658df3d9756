/**
 * Nextcloud's calendar and todo tools. Todos live in calendars, so their tools need a calendar
 * scope beside their own.
 */
import type { Declaration } from 'plimsoll';
import { creates, deletes, moves, reads, updates, varies, when } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const READ = ['calendar:read'];
const WRITE = ['calendar:write'];
const TODO_READ = ['todo:read', 'calendar:read'];
const TODO_WRITE = ['todo:write', 'calendar:read'];

const manageCalendar = varies(
  reads('calendar', ownAccount),
  {
    when: when('action', 'create'),
    // A calendar of that name is refused the second time and stays as it is.
    effect: creates('calendar', { ...ownAccount, repeat: 'end-state' }),
  },
  { when: when('action', 'update'), effect: updates('calendar', ownAccount) },
  { when: when('action', 'delete'), effect: deletes('calendar', ownAccount) },
);

const bulkOperations = varies(
  updates('event', ownAccount),
  {
    when: when('operation', 'move'),
    effect: moves('event', { ...ownAccount, repeat: 'end-state' }),
  },
  { when: when('operation', 'delete'), effect: deletes('event', ownAccount) },
);

export const calendar: readonly Declaration[] = [
  declare('nc_calendar_list_calendars', 'List Calendars', reads('calendar', ownAccount), READ),
  declare('nc_calendar_create_event', 'Create Calendar Event', creates('event', ownAccount), WRITE),
  declare('nc_calendar_list_events', 'List Calendar Events', reads('event', ownAccount), READ),
  declare('nc_calendar_get_event', 'Get Calendar Event', reads('event', ownAccount), READ),
  // The tool takes an etag but never sends it, so there is no version check to declare.
  declare('nc_calendar_update_event', 'Update Calendar Event', updates('event', ownAccount), WRITE),
  declare('nc_calendar_delete_event', 'Delete Calendar Event', deletes('event', ownAccount), WRITE),
  declare('nc_calendar_create_meeting', 'Create Meeting', creates('event', ownAccount), WRITE),
  declare(
    'nc_calendar_get_upcoming_events',
    'Get Upcoming Events',
    reads('event', ownAccount),
    READ,
  ),
  declare('nc_calendar_find_availability', 'Find Availability', reads('event', ownAccount), READ),
  declare('nc_calendar_bulk_operations', 'Bulk Calendar Operations', bulkOperations, WRITE),
  declare('nc_calendar_manage_calendar', 'Manage Calendar', manageCalendar, WRITE),
  declare('nc_calendar_list_todos', 'List Todo Tasks', reads('todo', ownAccount), TODO_READ),
  declare('nc_calendar_create_todo', 'Create Todo Task', creates('todo', ownAccount), TODO_WRITE),
  declare('nc_calendar_update_todo', 'Update Todo Task', updates('todo', ownAccount), TODO_WRITE),
  declare('nc_calendar_delete_todo', 'Delete Todo Task', deletes('todo', ownAccount), TODO_WRITE),
  declare('nc_calendar_search_todos', 'Search Todo Tasks', reads('todo', ownAccount), TODO_READ),
];
