/** All tools, one file for each kind of object. */
import type { Operation } from 'plimsoll/server';
import { accessOperations } from './operations/access.ts';
import { boardOperations } from './operations/boards.ts';
import { calendarOperations } from './operations/calendars.ts';
import { cardOperations } from './operations/cards.ts';
import { contactOperations } from './operations/contacts.ts';
import { cookbookOperations } from './operations/cookbook.ts';
import type { Groupware } from './operations/declare.ts';
import { eventOperations } from './operations/events.ts';
import { fileSearchOperations } from './operations/file-searches.ts';
import { fileOperations } from './operations/files.ts';
import { newsOperations } from './operations/news.ts';
import { noteOperations } from './operations/notes.ts';
import { semanticOperations } from './operations/semantic.ts';
import { sharingOperations } from './operations/sharing.ts';
import { tableOperations } from './operations/tables.ts';
import { todoOperations } from './operations/todos.ts';

/** The modules, in the order in which a server is best annotated. */
export function groupwareModules(
  groupware: Groupware,
): Readonly<Record<string, readonly Operation[]>> {
  return {
    oauth_tools: accessOperations(groupware),
    notes: noteOperations(groupware),
    webdav: [...fileOperations(groupware), ...fileSearchOperations(groupware)],
    calendar: [
      ...calendarOperations(groupware),
      ...eventOperations(groupware),
      ...todoOperations(groupware),
    ],
    semantic: semanticOperations(groupware),
    contacts: contactOperations(groupware),
    deck: [...boardOperations(groupware), ...cardOperations(groupware)],
    tables: tableOperations(groupware),
    sharing: sharingOperations(groupware),
    cookbook: cookbookOperations(groupware),
    news: newsOperations(groupware),
  };
}
