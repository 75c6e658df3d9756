/** A map that forgets what was used longest ago once it holds more than its limit. */
export class BoundedMap<K, V> {
  readonly #limit: number;
  readonly #entries = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#touch(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#touch(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break;
      this.#entries.delete(oldest);
    }
  }

  #touch(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }
}
