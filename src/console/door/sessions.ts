/**
 * Who is signed in to the console. In memory: a restart signs everybody out. Stores only hashes of
 * session tokens.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface Session {
  readonly who: string;
  /** Proves that a form came from one of our pages. */
  readonly csrf: string;
}

interface Kept extends Session {
  readonly endsAt: number;
  usedAt: number;
}

const IDLE_MS = 8 * 60 * 60_000;
const LIFETIME_MS = 24 * 60 * 60_000;
const TOKEN_BYTES = 32;
const MOST = 100;

export class Sessions {
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The token for the cookie. */
  start(who: string): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const csrf = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = this.#now();
    this.#kept.set(hash(token), { who, csrf, usedAt: now, endsAt: now + LIFETIME_MS });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST) break;
      this.#kept.delete(oldest);
    }
    return token;
  }

  /** Counts as a use. */
  find(token: string): Session | undefined {
    const kept = this.#peek(token);
    if (kept !== undefined) kept.usedAt = this.#now();
    return kept;
  }

  /** For background requests, such as a stream: does not keep the session alive. */
  isLive(token: string): boolean {
    return this.#peek(token) !== undefined;
  }

  end(token: string): void {
    this.#kept.delete(hash(token));
  }

  #peek(token: string): Kept | undefined {
    const key = hash(token);
    const kept = this.#kept.get(key);
    const now = this.#now();
    if (kept === undefined) return undefined;
    if (now < kept.endsAt && now < kept.usedAt + IDLE_MS) return kept;
    this.#kept.delete(key);
    return undefined;
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * One-time sign-in links shown in the terminal. Stores only hashes; anyone who can see the terminal may
 * sign in.
 */
const LINK_LIFETIME_MS = 10 * 60_000;
/** Unused links must not pile up. */
const MOST_LINKS = 8;

export class EntryLinks {
  readonly #now: () => number;
  /** When each expires, by the hash of its token; the oldest first. */
  readonly #ends = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns a new token; it cannot be read again. */
  mint(): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#ends.set(hash(token), this.#now() + LINK_LIFETIME_MS);
    for (const oldest of this.#ends.keys()) {
      if (this.#ends.size <= MOST_LINKS) break;
      this.#ends.delete(oldest);
    }
    return token;
  }

  /** Checking does not use it: link previews check. */
  isGood(token: string): boolean {
    const end = this.#ends.get(hash(token));
    return end !== undefined && end > this.#now();
  }

  /** Whether it was valid; it no longer is. */
  use(token: string): boolean {
    const isGood = this.isGood(token);
    this.#ends.delete(hash(token));
    return isGood;
  }
}
