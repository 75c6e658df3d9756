import type { Writable } from 'node:stream';

/** Cuts a byte stream into lines without copying where it can. A line that grows past the bound ends the stream. */

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

export class Lines {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that this chunk completes, without their ends; empty lines are left out. */
  push(chunk: Buffer): readonly Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#take(this.#join(chunk.subarray(start, end)), lines);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  /** The stream is over: what stands behind the last line end is a line too. */
  end(): readonly Buffer[] {
    const lines: Buffer[] = [];
    this.#take(this.#join(Buffer.alloc(0)), lines);
    return lines;
  }

  #take(line: Buffer, lines: Buffer[]): void {
    const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
    if (end > 0) lines.push(line.subarray(0, end));
  }

  #join(last: Buffer): Buffer {
    if (this.#parts.length === 0) return last;
    const line = Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#length = 0;
    return line;
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#limit) {
      throw new LineTooLongError(`a message has more than ${this.#limit} bytes`);
    }
    this.#parts.push(part);
  }
}

/** Writes lines to a stream, all that come within one turn of the loop in one write. */
const LINE_END = Buffer.from('\n');
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
    this.#waiting.push(bytes, LINE_END);
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
