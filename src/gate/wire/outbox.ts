/** Writes lines to a stream, all that come within one turn of the loop in one write. */
import type { Writable } from 'node:stream';

const NEWLINE = Buffer.from('\n');
/** From here on, copying costs more than another part of the same write. */
const LARGE = 64 * 1024;

export class Outbox {
  readonly #stream: Writable;
  #waiting: Uint8Array[] = [];

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  add(bytes: Uint8Array): void {
    if (this.#waiting.length === 0) queueMicrotask(() => this.flush());
    this.#waiting.push(bytes, NEWLINE);
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.every(({ length }) => length < LARGE)) {
      this.#stream.write(Buffer.concat(waiting));
      return;
    }
    this.#stream.cork();
    for (const bytes of waiting) this.#stream.write(bytes);
    this.#stream.uncork();
  }
}
