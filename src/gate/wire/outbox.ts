/** Writes lines to a stream, all that come within one turn of the loop in one write. */
import type { Writable } from 'node:stream';

const NEWLINE = Buffer.from('\n');

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
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#stream.write(bytes);
  }
}
