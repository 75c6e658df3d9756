import type { Failure } from '../protocol/channel.ts';

/**
 * Spares a server that does not answer: after enough failures it lets nothing through for a while,
 * then one call as a probe. One for each server. It counts; whoever sends tells it what happened.
 */

interface BreakerOptions {
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  /** So many failures in a row open it. */
  readonly consecutive?: number;
  /** How many of the last calls are looked at, and which part of them may fail. */
  readonly window?: number;
  readonly share?: number;
  readonly restMs?: number;
}

/** `untold`: it was not sent after all, or nobody waited for the answer. */
export type Health = 'up' | 'down' | 'untold';

type Admission =
  /** Exactly one report is due. */
  | { readonly kind: 'pass'; readonly report: (health: Health) => void }
  | { readonly kind: 'open'; readonly retryAfterSeconds: number };

export class Breaker {
  readonly #now: () => number;
  readonly #consecutive: number;
  readonly #window: number;
  readonly #share: number;
  readonly #restMs: number;
  /** The last calls, oldest first; true for those that failed. */
  #recent: boolean[] = [];
  #inARow = 0;
  /** While it is open: when the next probe may go. */
  #probeAt: number | undefined;
  /** Grows when it opens or closes: reports from before no longer count. */
  #era = 0;

  constructor(options: BreakerOptions) {
    const { now, consecutive = 5, window = 20, share = 0.5, restMs = 10_000 } = options;
    this.#now = now;
    this.#consecutive = consecutive;
    this.#window = window;
    this.#share = share;
    this.#restMs = restMs;
  }

  /** Whether a call would be let through now, without counting as one. */
  peek(): Exclude<Admission, { readonly kind: 'pass' }> | undefined {
    const left = (this.#probeAt ?? 0) - this.#now();
    if (this.#probeAt === undefined || left <= 0) return undefined;
    return { kind: 'open', retryAfterSeconds: Math.ceil(left / 1000) };
  }

  admit(): Admission {
    if (this.#probeAt === undefined) return this.#pass(false);
    const left = this.#probeAt - this.#now();
    if (left > 0) return { kind: 'open', retryAfterSeconds: Math.ceil(left / 1000) };
    // A probe that takes long, or never reports, must not keep all others out.
    this.#probeAt = this.#now() + this.#restMs;
    return this.#pass(true);
  }

  #pass(isProbe: boolean): Admission {
    const era = this.#era;
    const report = (health: Health): void => {
      if (era !== this.#era) return;
      if (isProbe) this.#endProbe(health);
      else if (health !== 'untold') this.#count(health === 'down');
    };
    return { kind: 'pass', report };
  }

  #endProbe(health: Health): void {
    if (health === 'untold') this.#probeAt = this.#now();
    else if (health === 'down') this.#probeAt = this.#now() + this.#restMs;
    else {
      this.#era += 1;
      this.#probeAt = undefined;
    }
  }

  #count(failed: boolean): void {
    this.#inARow = failed ? this.#inARow + 1 : 0;
    this.#recent.push(failed);
    if (this.#recent.length > this.#window) this.#recent.shift();
    if (this.#inARow >= this.#consecutive || this.#isMostlyDown()) this.#open();
  }

  #isMostlyDown(): boolean {
    if (this.#recent.length < this.#window) return false;
    return this.#recent.filter(Boolean).length >= this.#window * this.#share;
  }

  #open(): void {
    this.#era += 1;
    this.#probeAt = this.#now() + this.#restMs;
    this.#recent = [];
    this.#inARow = 0;
  }
}

/**
 * How many retries a server can bear: a bucket that every retry empties and every success fills a
 * little, so that an outage is not made worse by those who wait for its end.
 */
const CAPACITY = 500;
const SUCCESS_GIVES = 1;

/** A lost sending has held the server up the longest. */
const COSTS: Readonly<Record<Failure['kind'], number>> = Object.freeze({
  'not-sent': 5,
  refused: 5,
  lost: 10,
});

export class RetryBudget {
  readonly #capacity: number;
  #tokens: number;

  constructor(capacity: number = CAPACITY) {
    this.#capacity = capacity;
    this.#tokens = capacity;
  }

  /** Takes what a retry after this failure costs; tells whether there was enough. */
  take(failure: Failure['kind']): boolean {
    const cost = COSTS[failure];
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }

  succeed(): void {
    this.#tokens = Math.min(this.#capacity, this.#tokens + SUCCESS_GIVES);
  }
}
