/** Notes on SQLite, with a full-text index over titles and contents. */
import type { Note, NoteFields, Notes } from '../backend.ts';
import { found } from '../refuse.ts';
import { toMatch } from '../words.ts';
import type { Database } from '../../shared/database.ts';
import { Table } from './table.ts';

export function embeddedNotes(db: Database, user: string, now: () => Date): Notes {
  const table = new Table<Note>(db, 'notes', 'note');
  const modified = (): string => now().toISOString();
  return {
    list: async () => table.select(user, 'ORDER BY id'),
    search: async (query) => {
      const match = toMatch(query);
      if (match === '') return [];
      const rest =
        'AND id IN (SELECT rowid FROM notes_text WHERE notes_text MATCH :match) ORDER BY id';
      return table.select(user, rest, { match });
    },
    find: async (id) => table.find(user, id),
    create: async (fields: NoteFields) => table.insert(user, { ...fields, modified: modified() }),
    update: async (id, etag, changes) =>
      found(table.update(user, id, { ...changes, modified: modified() }, etag), 'note', id),
    remove: async (id) => table.remove(user, id),
  };
}
