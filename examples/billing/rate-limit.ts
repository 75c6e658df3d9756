/** Three rolling windows, each of which must have room: all calls of a key, its changes and reads, the merchant's. */

export interface Bucket {
  readonly name: 'route' | 'data' | 'global';
  readonly most: number;
  readonly perMs: number;
}

const BUCKETS: readonly Bucket[] = Object.freeze([
  { name: 'route', most: 100, perMs: 60_000 },
  { name: 'data', most: 60, perMs: 60_000 },
  { name: 'global', most: 1000, perMs: 3_600_000 },
]);

export interface OverLimit {
  readonly bucket: Bucket;
  readonly retryAfter: number;
}

export class RateLimiter {
  readonly #times = new Map<string, number[]>();
  readonly #buckets: readonly Bucket[];

  constructor(buckets: readonly Bucket[] = BUCKETS) {
    this.#buckets = buckets;
  }

  /** Counts the call in every bucket, also when one refuses it. */
  take(who: Readonly<Record<Bucket['name'], string>>, at: Date): OverLimit | undefined {
    const refused = this.#buckets.flatMap(
      (bucket) => this.#count(bucket, who[bucket.name], at) ?? [],
    );
    return refused.toSorted((a, b) => b.retryAfter - a.retryAfter)[0];
  }

  #count(bucket: Bucket, who: string, at: Date): OverLimit | undefined {
    const id = `${bucket.name} ${who}`;
    const now = at.getTime();
    const recent = (this.#times.get(id) ?? []).filter((time) => time > now - bucket.perMs);
    const oldest = recent[0] ?? now;
    const isFull = recent.length >= bucket.most;
    // A refused call counts too, but the list must not grow without end.
    this.#times.set(id, [...(isFull ? recent.slice(1) : recent), now]);
    if (!isFull) return undefined;
    return { bucket, retryAfter: Math.max(1, Math.ceil((oldest + bucket.perMs - now) / 1000)) };
  }
}
