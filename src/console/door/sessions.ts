/**
 * Who is signed in to the console, and the links that sign in. Kept in the ledger, so that a browser stays
 * signed in when the console restarts; only digests of tokens are stored. A session counts at the one
 * console (host and port) where it began.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Store } from '../../ledger/store.ts';
import type { ConsoleSessionRow } from '../../ledger/tables.ts';

export interface Session {
  /** Names it, and opens nothing. */
  readonly id: string;
  readonly who: string;
  /** Proves that a form came from one of our pages. */
  readonly csrf: string;
}

/** A browser that is signed in, as people see it. */
export type SignedIn = Omit<ConsoleSessionRow, 'digest' | 'ends_at'>;

const DAY_MS = 24 * 60 * 60_000;
const IDLE_MS = 30 * DAY_MS;
export const SESSION_MS: number = 90 * DAY_MS;
const TOKEN_BYTES = 32;
const MOST = 100;
const LONGEST_BROWSER = 200;
/** A use is noted at most this often: every request would otherwise write. */
const NOTE_EVERY_MS = 60_000;
/** Sessions that were just seen are not read again: pages poll. */
const TRUST_MS = 1000;

interface SessionsInit {
  readonly store: Store;
  readonly now: () => number;
  /** Where they count; known once the console listens. */
  readonly place: () => string;
}

export class Sessions {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #place: () => string;
  readonly #seen = new Map<string, { readonly row: ConsoleSessionRow; readonly at: number }>();

  constructor({ store, now, place }: SessionsInit) {
    this.#store = store;
    this.#now = now;
    this.#place = place;
  }

  /** The token for the cookie. */
  async start(who: string, browser: string): Promise<string> {
    const token = newToken();
    const now = this.#now();
    const row = {
      id: randomBytes(6).toString('hex'),
      digest: hash(token),
      place: this.#place(),
      who,
      browser: browser.slice(0, LONGEST_BROWSER).toWellFormed(),
      created_at: now,
      used_at: now,
      ends_at: now + SESSION_MS,
    };
    await this.#store.transaction(async (tx) => {
      await tx.execute('DELETE FROM console_sessions WHERE ends_at <= ?', [now]);
      await tx.insert('console_sessions', row);
      const known = await tx.list('console_sessions', {
        orderBy: 'created_at',
        descending: true,
        limit: MOST * 2,
      });
      for (const { id } of known.slice(MOST)) await tx.remove('console_sessions', { id });
    });
    return token;
  }

  /** Counts as a use. */
  async find(token: string): Promise<Session | undefined> {
    const row = await this.#peek(token);
    if (row === undefined) return undefined;
    const now = this.#now();
    if (now - row.used_at >= NOTE_EVERY_MS) {
      const used = { ...row, used_at: now };
      await this.#store.transaction((tx) =>
        tx.update('console_sessions', { id: row.id }, { used_at: now }),
      );
      this.#seen.set(row.digest, { row: used, at: now });
    }
    return { id: row.id, who: row.who, csrf: toCsrf(token) };
  }

  /** For background requests, such as a stream: does not keep the session alive. */
  async isLive(token: string): Promise<boolean> {
    return (await this.#peek(token)) !== undefined;
  }

  async end(token: string): Promise<void> {
    const digest = hash(token);
    this.#seen.delete(digest);
    await this.#store.transaction((tx) => tx.remove('console_sessions', { digest }));
  }

  /** Every browser that is signed in to a console of this ledger, the one used last first. */
  async list(): Promise<readonly SignedIn[]> {
    const rows = await this.#store.transaction((tx) =>
      tx.list('console_sessions', { orderBy: 'used_at', descending: true, limit: MOST }),
    );
    return rows
      .filter((row) => this.#isGood(row))
      .map(({ id, place, who, browser, created_at: createdAt, used_at: usedAt }) => ({
        id,
        place,
        who,
        browser,
        created_at: createdAt,
        used_at: usedAt,
      }));
  }

  /** Tells whether there was one. */
  async revoke(id: string): Promise<boolean> {
    this.#seen.clear();
    return await this.#store.transaction((tx) => tx.remove('console_sessions', { id }));
  }

  async #peek(token: string): Promise<ConsoleSessionRow | undefined> {
    if (token === '') return undefined;
    const digest = hash(token);
    const seen = this.#seen.get(digest);
    const now = this.#now();
    if (seen !== undefined && Math.abs(now - seen.at) < TRUST_MS && this.#isGood(seen.row)) {
      return seen.row;
    }
    const place = this.#place();
    const row = await this.#store.transaction((tx) =>
      tx.find('console_sessions', { digest, place }),
    );
    if (row === undefined || !this.#isGood(row)) {
      this.#seen.delete(digest);
      return undefined;
    }
    this.#seen.set(digest, { row, at: now });
    return row;
  }

  #isGood({ ends_at: endsAt, used_at: usedAt }: ConsoleSessionRow): boolean {
    const now = this.#now();
    return now < endsAt && now < usedAt + IDLE_MS;
  }
}

/**
 * One-time sign-in links. In the ledger, so that `plimsoll console --open` can sign a browser in to a
 * console that another process runs.
 */
const LINK_LIFETIME_MS = 10 * 60_000;
/** Unused links must not pile up. */
const MOST_LINKS = 8;

export class EntryLinks {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #place: () => string;

  constructor({ store, now, place }: SessionsInit) {
    this.#store = store;
    this.#now = now;
    this.#place = place;
  }

  /** Returns a new token; it cannot be read again. */
  async mint(): Promise<string> {
    const token = newToken();
    const now = this.#now();
    const place = this.#place();
    await this.#store.transaction(async (tx) => {
      await tx.execute('DELETE FROM console_links WHERE ends_at <= ?', [now]);
      await tx.insert('console_links', {
        digest: hash(token),
        place,
        ends_at: now + LINK_LIFETIME_MS,
      });
      const query = { where: { place }, orderBy: 'ends_at', descending: true } as const;
      const known = await tx.list('console_links', { ...query, limit: MOST_LINKS * 4 });
      for (const { digest } of known.slice(MOST_LINKS))
        await tx.remove('console_links', { digest });
    });
    return token;
  }

  /** Checking does not use it: link previews check. */
  async isGood(token: string): Promise<boolean> {
    const where = { digest: hash(token), place: this.#place() };
    const row = await this.#store.transaction((tx) => tx.find('console_links', where));
    return row !== undefined && row.ends_at > this.#now();
  }

  /** Whether it was valid; it no longer is. */
  async use(token: string): Promise<boolean> {
    const where = { digest: hash(token), place: this.#place() };
    return await this.#store.transaction(async (tx) => {
      const row = await tx.find('console_links', where);
      const wasThere = await tx.remove('console_links', where);
      return wasThere && row !== undefined && row.ends_at > this.#now();
    });
  }
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** From the token itself, so that nothing that could pass a form is stored. */
function toCsrf(token: string): string {
  return createHash('sha256').update(`plimsoll form ${token}`).digest('base64url');
}
