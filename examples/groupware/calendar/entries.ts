/** Reads and changes the entries of an account's calendars: the step between tools and collections. */
import { ProblemError } from 'plimsoll/server';
import type { Collections, StoredText } from '../backend.ts';
import { found, stale } from '../refuse.ts';
import type { EntryKind, Opened } from './component.ts';
import { openEntry } from './component.ts';

export interface Entry extends Opened {
  readonly calendarName: string;
  readonly etag: string;
}

/** All entries of a kind, of one calendar or of every one. One that cannot be read hides no others. */
export async function listEntries(
  calendars: Collections,
  kind: EntryKind,
  calendarName?: string,
): Promise<readonly Entry[]> {
  const names =
    calendarName === undefined ? (await calendars.list()).map(({ id }) => id) : [calendarName];
  const lists = await Promise.all(
    names.map(async (name) =>
      (await calendars.texts(name)).flatMap(({ text, etag }) => {
        const opened = tryOpening(text, kind);
        return opened === undefined ? [] : [{ ...opened, etag, calendarName: name }];
      }),
    ),
  );
  return lists.flat();
}

function tryOpening(text: string, kind: EntryKind): Opened | undefined {
  try {
    return openEntry(text, kind);
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
}

export async function findEntry(
  calendars: Collections,
  kind: EntryKind,
  calendarName: string,
  uid: string,
): Promise<Entry | undefined> {
  const stored = await calendars.find(calendarName, uid);
  const opened = stored && openEntry(stored.text, kind);
  return opened && { ...opened, etag: stored.etag, calendarName };
}

const MOST_TRIES = 5;

/** Anything that keeps texts under tags: an entry of a calendar, or a contact. */
export interface TextChange {
  readonly collection: string;
  readonly uid: string;
  readonly what: string;
  /** Fails unless it is the current one. Without it, what others change meanwhile is read again. */
  readonly etag?: string | undefined;
  /** `undefined` when the text is of another kind, which counts as not found. */
  readonly change: (text: string) => string | undefined;
}

/** The text as it is now. */
export async function changeText(
  collections: Collections,
  { collection, uid, what, etag, change }: TextChange,
): Promise<StoredText> {
  for (let tries = 1; ; tries += 1) {
    const before = found(await collections.find(collection, uid), what, uid);
    if (etag !== undefined && etag !== before.etag) throw stale(what, uid, before.etag);
    const text = found(change(before.text), what, uid);
    try {
      const tag = await collections.put(collection, uid, text, { etag: before.etag });
      return { uid, text, etag: tag };
    } catch (error) {
      const isStale = error instanceof ProblemError && error.problem.code === 'stale-version';
      if (!isStale || etag !== undefined || tries === MOST_TRIES) throw error;
    }
  }
}

/** An entry of another kind under that uid is not deleted. */
export async function removeEntry(
  calendars: Collections,
  kind: EntryKind,
  calendarName: string,
  uid: string,
): Promise<boolean> {
  const entry = await findEntry(calendars, kind, calendarName, uid);
  return entry !== undefined && calendars.removeText(calendarName, uid);
}
