/**
 * A string that does not get out by accident: whatever prints, joins, serializes or copies it gives
 * `[secret]` or nothing. Only `reveal()` gives the string, and that word can be searched for.
 */
import { timingSafeEqual } from 'node:crypto';

/** What stands wherever a secret would have stood. */
export const SECRET_MARK = '[secret]';

export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    Object.freeze(this);
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return SECRET_MARK;
  }

  toJSON(): string {
    return SECRET_MARK;
  }

  [Symbol.toPrimitive](): string {
    return SECRET_MARK;
  }

  static {
    // By this name `util.inspect`, and so console.log, asks how to show an object.
    const inspect = Symbol.for('nodejs.util.inspect.custom');
    Object.defineProperty(this.prototype, inspect, { value: () => SECRET_MARK });
  }
}

/** Compares texts so that the time taken tells nothing but their lengths. For hashes and tokens. */
export function isSameInConstantTime(left: string, right: string): boolean {
  // UTF-8 would make all halves of surrogate pairs alike.
  const [a, b] = [Buffer.from(left, 'utf16le'), Buffer.from(right, 'utf16le')];
  return a.length === b.length && timingSafeEqual(a, b);
}
