/** Notes: an update demands the tag of the version it changes; an append reads that tag itself. */
import type { Operation } from 'plimsoll/server';
import { appends, creates, deletes, ProblemError, reads, updates } from 'plimsoll/server';
import * as z from 'zod';
import type { Note, Notes } from '../backend.ts';
import { found, given } from '../refuse.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { etag, id, maybe, Removed, text } from './parameters.ts';

const READ = ['notes:read'];
const WRITE = ['notes:write'];

const NoteOut = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  category: z.string(),
  modified: z.string(),
  etag,
});

const noteId = id('note');
const title = text(300);
const content = text(1_000_000);
const category = text(300);

export function noteOperations(groupware: Groupware): readonly Operation[] {
  return [
    declare(groupware, {
      name: 'nc_notes_create_note',
      title: 'Create Note',
      description: 'Creates a note. A second call creates a second note.',
      input: z.object({
        title: title.min(1).describe('Title of the note'),
        content: content.describe('Content in Markdown'),
        category: category.describe('Category of the note; empty for none'),
      }),
      output: NoteOut,
      effect: creates('note', ownAccount),
      scopes: WRITE,
      produces: ['note'],
      run: (input, { notes }) => notes.create(input),
    }),

    declare(groupware, {
      name: 'nc_notes_update_note',
      title: 'Update Note',
      description:
        'Changes the title, content or category of a note; what is left out stays as it is. Takes the etag from nc_notes_get_note. If the note has changed since then, the etag is stale and the update fails without changing anything.',
      input: z.object({
        note_id: noteId,
        etag: text(200).describe('The etag from nc_notes_get_note'),
        title: maybe(title.min(1)).describe('New title; leave out to keep the current one'),
        content: maybe(content).describe('New content; leave out to keep the current one'),
        category: maybe(category).describe('New category; leave out to keep the current one'),
      }),
      output: NoteOut,
      effect: updates('note', { ...ownAccount, repeat: 'version-required' }),
      scopes: WRITE,
      run: ({ note_id, etag: tag, ...changes }, { notes }) =>
        notes.update(note_id, tag, given(changes)),
    }),

    declare(groupware, {
      name: 'nc_notes_append_content',
      title: 'Append to Note',
      description: 'Adds text to the end of a note, after a blank line. Each call adds it again.',
      input: z.object({
        note_id: noteId,
        content: content.min(1).describe('The text to add, in Markdown'),
      }),
      output: NoteOut,
      effect: appends('note', ownAccount),
      scopes: WRITE,
      run: (input, { notes }) => append(notes, input.note_id, input.content),
    }),

    declare(groupware, {
      name: 'nc_notes_search_notes',
      title: 'Search Notes',
      description:
        'Finds notes by words in their title or content and returns their id, title and category. nc_notes_get_note returns the whole note.',
      input: z.object({ query: text().min(1).describe('Words, or beginnings of words') }),
      output: z.object({
        results: z.array(z.object({ id: z.int(), title: z.string(), category: z.string() })),
      }),
      effect: reads('note', ownAccount),
      scopes: READ,
      run: async ({ query }, { notes }) => ({
        results: (await notes.search(query)).map((note) => ({
          id: note.id,
          title: note.title,
          category: note.category,
        })),
      }),
    }),

    declare(groupware, {
      name: 'nc_notes_get_note',
      title: 'Get Note',
      description: 'Returns a note with its content, and the etag that nc_notes_update_note takes.',
      input: z.object({ note_id: noteId }),
      output: NoteOut,
      effect: reads('note', ownAccount),
      scopes: READ,
      run: async ({ note_id }, { notes }) => found(await notes.find(note_id), 'note', note_id),
    }),

    declare(groupware, {
      name: 'nc_notes_get_attachment',
      title: 'Get Note Attachment',
      description: 'Returns a file that is attached to a note, as base64.',
      input: z.object({
        note_id: noteId,
        attachment_filename: text(250).min(1).describe('Name of the attached file'),
      }),
      output: z.object({
        filename: z.string(),
        content_type: z.string(),
        data: z.string().describe('base64'),
      }),
      effect: reads('attachment', ownAccount),
      scopes: READ,
      run: async ({ note_id, attachment_filename: name }, { notes, files }) => {
        found(await notes.find(note_id), 'note', note_id);
        const { entry, content: data } = await files.read(`${attachmentsOf(note_id)}/${name}`);
        return {
          filename: entry.name,
          content_type: entry.content_type,
          data: data.toString('base64'),
        };
      },
    }),

    declare(groupware, {
      name: 'nc_notes_delete_note',
      title: 'Delete Note',
      description: 'Permanently deletes a note with its attachments.',
      input: z.object({ note_id: noteId }),
      output: Removed,
      effect: deletes('note', ownAccount),
      scopes: WRITE,
      run: async ({ note_id }, { notes, files }) => {
        const deleted = await notes.remove(note_id);
        if (deleted) await files.remove(attachmentsOf(note_id));
        return { deleted };
      },
    }),
  ];
}

const MOST_TRIES = 50;

/** Others may change the note between the read and the write; then it is read again. */
async function append(notes: Notes, note: number, more: string): Promise<Note> {
  for (let tries = 1; ; tries += 1) {
    const before = found(await notes.find(note), 'note', note);
    const joined = before.content === '' ? more : `${before.content}\n\n${more}`;
    try {
      return await notes.update(note, before.etag, { content: joined });
    } catch (error) {
      const isStale = error instanceof ProblemError && error.problem.code === 'stale-version';
      if (!isStale || tries === MOST_TRIES) throw error;
    }
  }
}

/** Where the notes app keeps what is attached to a note. */
function attachmentsOf(note: number): string {
  return `Notes/.attachments.${note}`;
}
