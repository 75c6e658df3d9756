/**
 * A string that does not leak by accident: printing, joining, serializing or copying it gives
 * `[secret]` or nothing. Only `reveal()` returns the string, and that name is easy to search for.
 */
import { timingSafeEqual } from 'node:crypto';

/** Printed in place of a secret. */
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
    // `util.inspect`, and so console.log, looks up this symbol.
    const inspect = Symbol.for('nodejs.util.inspect.custom');
    Object.defineProperty(this.prototype, inspect, { value: () => SECRET_MARK });
  }
}

/** Compares texts so that the time taken reveals nothing but their lengths. For hashes and tokens. */
export function isSameInConstantTime(left: string, right: string): boolean {
  // UTF-8 would make all lone surrogates equal.
  const [a, b] = [Buffer.from(left, 'utf16le'), Buffer.from(right, 'utf16le')];
  return a.length === b.length && timingSafeEqual(a, b);
}
