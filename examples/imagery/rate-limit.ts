/**
 * Token buckets: how many calls a caller may make, and how long to wait after too many. The decision is
 * pure; `RateLimiter` only stores the buckets.
 */

export interface RateRule {
  readonly name: string;
  /** The capacity of the bucket. */
  readonly burst: number;
  readonly perMinute: number;
}

export interface Bucket {
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type RateDecision =
  | { readonly kind: 'taken'; readonly bucket: Bucket }
  /** Whole seconds after which one token will be there. */
  | { readonly kind: 'wait'; readonly bucket: Bucket; readonly retryAfter: number };

/** Geopera's published limits. */
export const RATE_RULES = Object.freeze({
  usual: Object.freeze({ name: 'calls', burst: 600, perMinute: 600 }),
  orders: Object.freeze({ name: 'orders', burst: 60, perMinute: 60 }),
  spend: Object.freeze({ name: 'spends', burst: 30, perMinute: 30 }),
}) satisfies Readonly<Record<string, RateRule>>;

export function takeToken(rule: RateRule, before: Bucket | undefined, now: number): RateDecision {
  const filled = refill(rule, before, now);
  if (filled.tokens >= 1) {
    return { kind: 'taken', bucket: { tokens: filled.tokens - 1, at: filled.at } };
  }
  const seconds = ((1 - filled.tokens) * 60) / rule.perMinute;
  return { kind: 'wait', bucket: filled, retryAfter: Math.max(1, Math.ceil(seconds)) };
}

function refill({ burst, perMinute }: RateRule, before: Bucket | undefined, now: number): Bucket {
  if (before === undefined) return { tokens: burst, at: now };
  // A clock that was set back adds and removes nothing.
  const passed = Math.max(0, now - before.at);
  return {
    tokens: Math.min(burst, before.tokens + (passed * perMinute) / 60_000),
    at: Math.max(now, before.at),
  };
}

/** Drops the least recently used bucket when there are too many. */
const MOST_BUCKETS = 10_000;

export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Seconds to wait, or `undefined` when the call may proceed. */
  take(who: string, rule: RateRule): number | undefined {
    const id = `${rule.name} ${who}`;
    const decision = takeToken(rule, this.#buckets.get(id), this.#now());
    this.#buckets.delete(id);
    this.#buckets.set(id, decision.bucket);
    const [quietest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_BUCKETS && quietest !== undefined) this.#buckets.delete(quietest);
    return decision.kind === 'wait' ? decision.retryAfter : undefined;
  }
}
