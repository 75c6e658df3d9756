/**
 * The open sessions of an HTTP endpoint, of the kit or of the gate: each has a key and an owner, their
 * number is bounded, and idle ones are closed.
 */
import type { Principal } from '../../effect/operation.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';

interface Session extends AsyncDisposable {
  /** A client is waiting on it, so it is not idle however old it is. */
  readonly isBusy: boolean;
  /** When its client stopped listening, where it listened before and has not come back. */
  readonly leftAt?: number | undefined;
}

export interface SessionTableOptions {
  readonly idleMs: number;
  readonly limit: number;
  /** Of one owner. Default: no bound but the other. */
  readonly ownerLimit?: number;
  readonly report: (message: string, cause: unknown) => void;
}

interface Entry<S> {
  readonly session: S;
  readonly owner: string;
  lastUsed: number;
}

const LONGEST_SWEEP_MS = 60_000;
/** Unused for this long, a session gives way to a new one of the same owner. */
const GIVES_WAY_MS = 60_000;
/** The same for one whose client has gone without ending it. */
const LEFT_MS = 2000;
const RETRY_SECONDS = 30;

/** For whoever names a session that is not in the table. */
export const NEW_SESSION = 'Send initialize without Mcp-Session-Id to begin a new session.';

export class SessionTable<S extends Session> implements AsyncDisposable {
  readonly #options: SessionTableOptions;
  readonly #entries = new Map<string, Entry<S>>();
  readonly #sweeper: NodeJS.Timeout;
  /** Sessions that are being closed: whoever closes the table waits for them too. */
  readonly #closing = new Map<Promise<void>, string>();
  /** The owners of requested sessions that are not open yet. */
  readonly #opening: string[] = [];
  #isClosed = false;

  constructor(options: SessionTableOptions) {
    this.#options = options;
    const every = Math.min(options.idleMs, LONGEST_SWEEP_MS);
    this.#sweeper = setInterval(() => this.#sweep(), every).unref();
  }

  /** Why the owner gets no other session now. What an owner has not used for long gives way. */
  findRoom(owner: string): Problem | undefined {
    const { limit, ownerLimit = Infinity } = this.#options;
    if (this.#isClosed) {
      const detail = 'The server is stopping, and no session can be opened.';
      return toProblem('unavailable', detail, { retryAfter: RETRY_SECONDS });
    }
    if (this.#count(owner) >= ownerLimit && !this.#giveWay(owner)) {
      const detail = `This caller has ${ownerLimit} sessions open, which is the most; end one first.`;
      return toProblem('rate-limited', detail, { retryAfter: RETRY_SECONDS });
    }
    if (this.#count() < limit || this.#giveWay(owner)) return undefined;
    const detail = 'Too many sessions are open.';
    return toProblem('unavailable', detail, { retryAfter: RETRY_SECONDS });
  }

  /** What is being opened or closed takes room too. */
  #count(owner?: string): number {
    const owners = [...this.#entries.values()].map((entry) => entry.owner);
    const all = [...owners, ...this.#opening, ...this.#closing.values()];
    return owner === undefined ? all.length : all.filter((each) => each === owner).length;
  }

  #giveWay(owner: string): boolean {
    const now = Date.now();
    const isUnused = ({ lastUsed, session: { leftAt = Infinity } }: Entry<S>): boolean =>
      lastUsed <= now - GIVES_WAY_MS || leftAt <= now - LEFT_MS;
    const [first] = [...this.#entries]
      .filter(([, entry]) => entry.owner === owner && isUnused(entry))
      .filter(([, { session }]) => !session.isBusy)
      .toSorted(([, a], [, b]) => a.lastUsed - b.lastUsed);
    if (first !== undefined) void this.close(first[0]);
    return first !== undefined;
  }

  /** For anyone but its owner, a session does not exist. */
  find(key: string, owner: string): S | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.owner !== owner) return undefined;
    entry.lastUsed = Date.now();
    return entry.session;
  }

  async add(key: string, owner: string, open: () => Promise<S>): Promise<S> {
    this.#opening.push(owner);
    try {
      const session = await open();
      this.#entries.set(key, { session, owner, lastUsed: Date.now() });
      // The table was closed while this was being opened.
      if (this.#isClosed) await this.close(key);
      return session;
    } finally {
      this.#opening.splice(this.#opening.indexOf(owner), 1);
    }
  }

  /** Removes a session that has ended; another may already have its key. */
  forget(key: string, session: S): void {
    if (this.#entries.get(key)?.session === session) this.#entries.delete(key);
  }

  async close(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry === undefined) return;
    const closing = this.#dispose(entry.session).finally(() => this.#closing.delete(closing));
    this.#closing.set(closing, entry.owner);
    await closing;
  }

  async #dispose(session: S): Promise<void> {
    try {
      await session[Symbol.asyncDispose]();
    } catch (error) {
      this.#options.report('a session could not be closed', error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    await Promise.all([...this.#entries.keys()].map((key) => this.close(key)));
    await Promise.all(this.#closing.keys());
  }

  #sweep(): void {
    const now = Date.now();
    for (const [key, entry] of this.#entries) {
      if (entry.session.isBusy) entry.lastUsed = now;
      else if (entry.lastUsed <= now - this.#options.idleMs) void this.close(key);
    }
  }
}

/** An unambiguous name for a principal; empty for an anonymous caller. */
export function ownerOf(principal: Principal | undefined): string {
  return principal === undefined ? '' : JSON.stringify([principal.tenant ?? '', principal.id]);
}
