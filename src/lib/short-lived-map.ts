/**
 * A map for entries that come and go, such as the calls that are under way. A plain `Map` keeps them in memory
 * for longer: V8 links each table that a map has outgrown to its next one, so that once a table reaches the old
 * generation, whatever was in any later table survives until the next full collection. This one starts anew
 * before the chain gets long.
 */

/** With at least as many deleted as are left, starting anew copies at most one entry for each delete. */
const LEAST_DELETES = 256;

export class ShortLivedMap<K, V> {
  #entries = new Map<K, V>();
  #deletes = 0;

  get size(): number {
    return this.#entries.size;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.set(key, value);
  }

  delete(key: K): boolean {
    if (!this.#entries.delete(key)) return false;
    this.#deletes += 1;
    if (this.#deletes >= LEAST_DELETES && this.#deletes >= this.#entries.size) {
      this.#entries = new Map(this.#entries);
      this.#deletes = 0;
    }
    return true;
  }

  clear(): void {
    this.#entries = new Map();
    this.#deletes = 0;
  }

  /** A copy, oldest first; so are `values` and `entries`. */
  keys(): readonly K[] {
    return [...this.#entries.keys()];
  }

  values(): readonly V[] {
    return [...this.#entries.values()];
  }

  entries(): readonly (readonly [K, V])[] {
    return [...this.#entries];
  }
}
