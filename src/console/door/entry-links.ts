/** One-time links from the terminal into the console. Keeps only hashes; whoever may see the terminal may come in. */
import { createHash, randomBytes } from 'node:crypto';

const LIFETIME_MS = 10 * 60_000;
const TOKEN_BYTES = 32;
/** Links that nobody follows must not pile up. */
const MOST = 8;

export class EntryLinks {
  readonly #now: () => number;
  /** When each ends, by the hash of its token; the oldest first. */
  readonly #ends = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A new token; this is the only time that it can be seen. */
  mint(): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#ends.set(hash(token), this.#now() + LIFETIME_MS);
    for (const oldest of this.#ends.keys()) {
      if (this.#ends.size <= MOST) break;
      this.#ends.delete(oldest);
    }
    return token;
  }

  /** Looking does not use it up: previews of links look. */
  isGood(token: string): boolean {
    const end = this.#ends.get(hash(token));
    return end !== undefined && end > this.#now();
  }

  /** Whether it was good; it is not any more. */
  use(token: string): boolean {
    const isGood = this.isGood(token);
    this.#ends.delete(hash(token));
    return isGood;
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
