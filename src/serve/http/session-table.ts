/**
 * The open sessions of an HTTP endpoint, of the kit or of the gate: each has a key and an owner, their
 * number is bounded, and idle ones are closed.
 */
import type { Principal } from '../../effect/operation.ts';

interface Session extends AsyncDisposable {
  /** A client is waiting on it, so it is not idle however old it is. */
  readonly isBusy: boolean;
}

export interface SessionTableOptions {
  readonly idleMs: number;
  readonly limit: number;
  readonly report: (message: string, cause: unknown) => void;
}

interface Entry<S> {
  readonly session: S;
  readonly owner: string;
  lastUsed: number;
}

const LONGEST_SWEEP_MS = 60_000;

export class SessionTable<S extends Session> implements AsyncDisposable {
  readonly #options: SessionTableOptions;
  readonly #entries = new Map<string, Entry<S>>();
  readonly #sweeper: NodeJS.Timeout;
  /** Sessions that are being closed: whoever closes the table waits for them too. */
  readonly #closing = new Set<Promise<void>>();
  /** Requested sessions that are not open yet. */
  #opening = 0;
  #isClosed = false;

  constructor(options: SessionTableOptions) {
    this.#options = options;
    const every = Math.min(options.idleMs, LONGEST_SWEEP_MS);
    this.#sweeper = setInterval(() => this.#sweep(), every).unref();
  }

  get isFull(): boolean {
    return this.#entries.size + this.#opening >= this.#options.limit;
  }

  /** For anyone but its owner, a session does not exist. */
  find(key: string, owner: string): S | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.owner !== owner) return undefined;
    entry.lastUsed = Date.now();
    return entry.session;
  }

  async add(key: string, owner: string, open: () => Promise<S>): Promise<S> {
    this.#opening += 1;
    try {
      const session = await open();
      this.#entries.set(key, { session, owner, lastUsed: Date.now() });
      // The table was closed while this was being opened.
      if (this.#isClosed) await this.close(key);
      return session;
    } finally {
      this.#opening -= 1;
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
    this.#closing.add(closing);
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
    await Promise.all(this.#closing);
  }

  #sweep(): void {
    const oldest = Date.now() - this.#options.idleMs;
    for (const [key, { session, lastUsed }] of this.#entries) {
      if (!session.isBusy && lastUsed <= oldest) void this.close(key);
    }
  }
}

/** An unambiguous name for a principal; empty for an anonymous caller. */
export function ownerOf(principal: Principal | undefined): string {
  return principal === undefined ? '' : JSON.stringify([principal.tenant ?? '', principal.id]);
}
