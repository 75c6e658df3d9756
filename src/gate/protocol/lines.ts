import type { Writable } from 'node:stream';

/**
 * Cuts a byte stream into lines without copying where it can. A line that grows past the bound is left
 * out where somebody is told of it, and ends the stream otherwise.
 */

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

/** What is kept of a line that was too long: its first bytes and its last. */
export interface LineEnds {
  readonly head: Buffer;
  readonly tail: Buffer;
}

const KEPT_BYTES = 4096;

export class Lines {
  readonly #limit: number;
  readonly #skipped: ((line: LineEnds) => void) | undefined;
  #parts: Buffer[] = [];
  #length = 0;
  /** Of the line that is being left out. */
  #ends: LineEnds | undefined;

  constructor(limit: number, skipped?: (line: LineEnds) => void) {
    this.#limit = limit;
    this.#skipped = skipped;
  }

  /** The lines that this chunk completes, without their ends; empty lines are left out. */
  push(chunk: Buffer): readonly Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#complete(chunk.subarray(start, end), lines);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  #complete(last: Buffer, lines: Buffer[]): void {
    if (this.#skipped !== undefined) this.#keep(last);
    if (this.#ends === undefined) {
      this.#take(this.#join(this.#skipped === undefined ? last : EMPTY), lines);
      return;
    }
    this.#skipped?.(this.#ends);
    this.#ends = undefined;
    this.#length = 0;
  }

  /** The stream is over: what stands behind the last line end is a line too. */
  end(): readonly Buffer[] {
    const lines: Buffer[] = [];
    this.#complete(EMPTY, lines);
    return lines;
  }

  #take(line: Buffer, lines: Buffer[]): void {
    const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
    if (end > 0) lines.push(line.subarray(0, end));
  }

  #join(last: Buffer): Buffer {
    const [only] = this.#parts;
    this.#length = 0;
    if (only === undefined) return last;
    const isWhole = this.#parts.length === 1 && last.length === 0;
    const line = isWhole ? only : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    return line;
  }

  #keep(part: Buffer): void {
    if (this.#ends !== undefined) {
      const tail = Buffer.concat([this.#ends.tail, part.subarray(-KEPT_BYTES)]);
      this.#ends = { head: this.#ends.head, tail: tail.subarray(-KEPT_BYTES) };
      return;
    }
    this.#length += part.length;
    if (this.#length > this.#limit) {
      if (this.#skipped !== undefined) return this.#skip(part);
      throw new LineTooLongError(`a message has more than ${this.#limit} bytes`);
    }
    if (part.length > 0) this.#parts.push(part);
  }

  #skip(part: Buffer): void {
    const line = Buffer.concat([...this.#parts, part]);
    this.#parts = [];
    const tail = Buffer.from(line.subarray(-KEPT_BYTES)); // a view would keep all of it
    this.#ends = { head: Buffer.from(line.subarray(0, KEPT_BYTES)), tail };
  }
}

const EMPTY = Buffer.alloc(0);

/** Writes lines to a stream: those of one turn of the loop together, and in parts where they are many. */
const LINE_END = Buffer.from('\n');
/** From here on, copying costs more than another part of the same write. */
const LARGE = 64 * 1024;
/** Whoever reads begins with these while the rest of a long turn is worked on. */
const MOST_AT_ONCE = 16;

export class Outbox {
  readonly #stream: Writable;
  #waiting: Uint8Array[] = [];

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  add(bytes: Uint8Array): void {
    if (this.#waiting.length === 0) queueMicrotask(() => this.flush());
    this.#waiting.push(bytes, LINE_END);
    if (this.#waiting.length >= 2 * MOST_AT_ONCE) this.flush();
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
