/**
 * Copies what claims to be JSON into what certainly is, with a marker for each part that is not.
 * Never throws, whatever it is given; `whole` tells whether every part came through.
 */
import type { JsonValue } from '../../lib/json-value.ts';

export interface PlainJson {
  readonly value: JsonValue;
  readonly whole: boolean;
}

/** Deeper or larger than any definition that means well. */
const DEPTH_LIMIT = 128;
const NODE_LIMIT = 1_000_000;

const MARKER: JsonValue = Object.freeze({ 'dev.plimsoll/unreadable': true });

export function toPlainJson(value: unknown): PlainJson {
  const copy = new Copy();
  try {
    return { value: copy.of(value, 0), whole: copy.whole };
  } catch {
    return { value: MARKER, whole: false }; // getters and proxies throw what they like
  }
}

class Copy {
  whole = true;
  #nodes = 0;

  of(value: unknown, depth: number): JsonValue {
    this.#nodes += 1;
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'string') return value.isWellFormed() ? value : this.#mark();
    if (typeof value === 'number') return Number.isFinite(value) ? value : this.#mark();
    if (typeof value !== 'object' || depth >= DEPTH_LIMIT || this.#nodes > NODE_LIMIT)
      return this.#mark();
    return Array.isArray(value) ? this.#array(value, depth + 1) : this.#object(value, depth + 1);
  }

  #array(values: readonly unknown[], depth: number): JsonValue {
    return Array.from(values, (value) => this.of(value, depth));
  }

  #object(value: object, depth: number): JsonValue {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return this.#mark();
    const entries: [string, JsonValue][] = [];
    for (const [key, part] of Object.entries(value) as [string, unknown][]) {
      if (!key.isWellFormed()) this.#mark();
      else if (part !== undefined) entries.push([key, this.of(part, depth)]);
    }
    return Object.fromEntries(entries); // defines, so that a `__proto__` stays a plain member
  }

  #mark(): JsonValue {
    this.whole = false;
    return MARKER;
  }
}
