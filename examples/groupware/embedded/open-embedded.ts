/**
 * The embedded backend: SQLite and a folder of files. Without a folder everything is temporary, and
 * gone when it is closed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account, Backend } from '../backend.ts';
import type { PublicLinks } from '../public-links.ts';
import { openPublicLinks } from '../public-links.ts';
import { EmbeddedCollections } from './collections.ts';
import { Database } from '../../shared/database.ts';
import { embeddedDeck } from './deck.ts';
import type { FetchPageOptions } from './fetch-page.ts';
import { fetchPageFrom } from './fetch-page.ts';
import { EmbeddedFiles } from './files.ts';
import { embeddedNews } from './news.ts';
import { embeddedNotes } from './notes.ts';
import { embeddedRecipes } from './recipes.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { seedAccount } from './seed.ts';
import { embeddedShares, findByToken } from './shares.ts';
import { embeddedTables } from './tables.ts';

export interface EmbeddedInit {
  readonly folder?: string | undefined;
  readonly now?: () => Date;
  readonly pages?: FetchPageOptions;
  readonly report?: (message: string, cause: unknown) => void;
}

export interface Embedded extends Backend {
  readonly db: Database;
}

export function openEmbedded(init: EmbeddedInit = {}): Embedded {
  const { now = () => new Date(), report = () => {} } = init;
  const folder = init.folder ?? mkdtempSync(join(tmpdir(), 'groupware-'));
  const db = new Database(join(folder, 'groupware.sqlite'));
  prepareTables(db);
  const accounts = new Map<string, Account>();
  /** Calls that come first, at once, wait for the same set-up. */
  const prepared = new Map<string, Promise<void>>();
  const fetchPage = fetchPageFrom(init.pages);
  let links: Promise<PublicLinks> | undefined;

  const open = (token: string) => {
    const share = findByToken(db, token);
    return share && { files: account(share.owner).files, path: share.path };
  };
  const publicUrl = async (): Promise<string> => {
    links ??= openPublicLinks({ open, report });
    return (await links).url;
  };

  function account(user: string): Account {
    const known = accounts.get(user);
    if (known !== undefined) return known;
    const files = new EmbeddedFiles(db, user, folder);
    const made: Account = Object.freeze({
      user,
      files,
      notes: embeddedNotes(db, user, now),
      calendars: new EmbeddedCollections(db, user, { kind: 'calendar', item: 'entry' }),
      addressBooks: new EmbeddedCollections(db, user, { kind: 'address book', item: 'contact' }),
      deck: embeddedDeck(db, user),
      tables: embeddedTables(db, user),
      shares: embeddedShares({ db, user, files, now, publicUrl }),
      recipes: embeddedRecipes(db, user, fetchPage),
      news: embeddedNews(db, user),
    });
    accounts.set(user, made);
    return made;
  }

  return {
    kind: 'embedded',
    db,
    account,
    prepare: (user) => {
      const known = prepared.get(user);
      if (known !== undefined) return known;
      const begun = seedAccount(db, user, new EmbeddedFiles(db, user, folder));
      prepared.set(user, begun);
      begun.catch(() => prepared.delete(user)); // the next call tries again
      return begun;
    },
    [Symbol.asyncDispose]: async () => {
      await (await links)?.[Symbol.asyncDispose]();
      db.close();
      if (init.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function prepareTables(db: Database): void {
  db.atomically(() => {
    const version = Number(db.get('PRAGMA user_version')?.['user_version']);
    if (version === SCHEMA_VERSION) return;
    if (version !== 0) {
      throw new Error(`this store has version ${version}; use another folder to start over`);
    }
    db.execute(SCHEMA);
    db.execute(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}
