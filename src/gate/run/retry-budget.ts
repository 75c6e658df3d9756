/**
 * How many retries a server can bear: a bucket that every retry empties and every success fills a
 * little, so that an outage is not made worse by those who wait for its end.
 */
import type { Failure } from '../wire/channel.ts';

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
