/** Ids for requests of the wire's own, which nobody else can have chosen. */
import { randomBytes } from 'node:crypto';

export class OwnIds {
  readonly #prefix = `plimsoll-${randomBytes(9).toString('base64url')}-`;
  #count = 0;

  next(): string {
    this.#count += 1;
    return `${this.#prefix}${this.#count}`;
  }

  has(id: unknown): boolean {
    return typeof id === 'string' && id.startsWith(this.#prefix);
  }
}
