/** Who is signed in at the console. In memory: a restart signs everybody out. Keeps only hashes of what browsers hold. */
import { createHash, randomBytes } from 'node:crypto';

export interface Session {
  readonly who: string;
  /** Proves that a form came from a page of ours. */
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

  /** For what goes on by itself, such as a stream: does not keep the session alive. */
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
