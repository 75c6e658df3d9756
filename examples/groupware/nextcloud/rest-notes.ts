/** The notes app over its REST API, version 1. */
import * as z from 'zod';
import type { Note, Notes } from '../backend.ts';
import { found, stale } from '../refuse.ts';
import { hasWords } from '../words.ts';
import type { GroupwareClient } from './client.ts';
import { orMissing, refusedWith, wasThere } from './rest.ts';

const RawNote = z.object({
  id: z.number(),
  title: z.string(),
  content: z.string(),
  category: z.string().default(''),
  modified: z.number(),
  etag: z.string(),
});

export function restNotes(client: GroupwareClient, base: string): Notes {
  const api = `${base}/apps/notes/api/v1/notes`;
  const find = async (id: number): Promise<Note | undefined> => {
    const answer = await orMissing(client.json('GET', `${api}/${id}`));
    return answer === undefined ? undefined : toNote(answer);
  };
  const list = async (): Promise<readonly Note[]> =>
    z
      .array(z.unknown())
      .parse(await client.json('GET', api))
      .map(toNote);
  return {
    list,
    search: async (query) =>
      (await list()).filter(({ title, content }) => hasWords(`${title} ${content}`, query)),
    find,
    create: async (fields) => toNote(await client.json('POST', api, fields)),
    update: async (id, etag, changes) => {
      try {
        const condition = { 'if-match': `"${etag}"` };
        return toNote(await client.json('PUT', `${api}/${id}`, changes, condition));
      } catch (error) {
        if (!refusedWith(error, 412)) throw error;
        throw stale('note', id, found(await find(id), 'note', id).etag);
      }
    },
    remove: (id) => wasThere(client.json('DELETE', `${api}/${id}`)),
  };
}

function toNote(raw: unknown): Note {
  const { modified, ...note } = RawNote.parse(raw);
  return { ...note, modified: new Date(modified * 1000).toISOString() };
}
