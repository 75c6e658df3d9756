/**
 * Server-sent events as bytes: reads them from chunks that may be cut anywhere, and writes them.
 * The data is handed on as it was received and is not interpreted here.
 */

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const NEWLINE = Buffer.from('\n');
const NOTHING = Buffer.alloc(0);
const BLOCK_LINES = 1024;
const EVENT_START = Buffer.from('event: message\ndata: ');
const EVENT_END = Buffer.from('\n\n');
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A comment: shows that the stream is alive, and is not an event. */
export const KEEP_ALIVE: Buffer = Buffer.from(': \n\n');

export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError';
}

/** The bytes of a message, which has no line end, as one event; with the id that a client resumes after. */
export function toEvent(bytes: Uint8Array, id?: string): Buffer {
  const start = id === undefined ? [] : [Buffer.from(`id: ${id}\n`)];
  return Buffer.concat([...start, EVENT_START, bytes, EVENT_END]);
}

/** An event without a message: gives a client an id to resume after before there is anything to say. */
export function toPrimingEvent(id: string, retryMs: number): Buffer {
  return Buffer.from(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
}

export class EventReader {
  readonly #limit: number;
  readonly #take: (data: Buffer) => void;
  /** The start of a line whose end was not received yet. */
  #parts: Buffer[] = [];
  #data: Buffer[] = [];
  /** Earlier lines of the same event, many in one: a line costs far more than its bytes, and may have none. */
  #blocks: Buffer[] = [];
  #held = 0;
  #type = '';
  #isFirstLine = true;
  #isAfterCr = false;
  /** Of the event that is being read; it counts once the event is complete, or that would be skipped. */
  #nextId: string | undefined;
  #lastId: string | undefined;
  #retryMs: number | undefined;

  constructor(limit: number, take: (data: Buffer) => void) {
    this.#limit = limit;
    this.#take = take;
  }

  get lastId(): string | undefined {
    return this.#lastId;
  }

  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /** Throws `EventTooLargeError` when an event grows past the limit. */
  push(chunk: Buffer): void {
    let start = 0;
    if (this.#isAfterCr && chunk.length > 0) {
      this.#isAfterCr = false;
      if (chunk[0] === LF) start = 1;
    }
    let cr = chunk.indexOf(CR, start);
    for (;;) {
      if (cr !== -1 && cr < start) cr = chunk.indexOf(CR, start);
      const lf = chunk.indexOf(LF, start);
      const end = cr !== -1 && (lf === -1 || cr < lf) ? cr : lf;
      if (end === -1) break;
      this.#line(this.#join(chunk.subarray(start, end)));
      start = end + 1;
      if (end === cr) {
        if (start === chunk.length) this.#isAfterCr = true;
        else if (chunk[start] === LF) start += 1;
      }
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start), this.#parts);
  }

  #join(last: Buffer): Buffer {
    if (this.#parts.length === 0) return last;
    const line = Buffer.concat([...this.#parts, last]);
    for (const part of this.#parts) this.#held -= part.length;
    this.#parts = [];
    return line;
  }

  #hold(part: Buffer, where: Buffer[]): void {
    this.#held += part.length;
    if (this.#held > this.#limit) {
      throw new EventTooLargeError(`an event has more than ${this.#limit} bytes`);
    }
    where.push(part);
  }

  #line(raw: Buffer): void {
    let line = raw;
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      if (line.subarray(0, 3).equals(BYTE_ORDER_MARK)) line = line.subarray(3);
    }
    if (line.length === 0) {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(COLON);
    if (colon === 0) return;
    const name = line.toString('latin1', 0, colon === -1 ? line.length : colon);
    const skip = line[colon + 1] === SPACE ? 2 : 1;
    this.#field(name, colon === -1 ? line.subarray(line.length) : line.subarray(colon + skip));
  }

  #field(name: string, value: Buffer): void {
    if (name === 'data') this.#addLine(value);
    else if (name === 'event') this.#type = value.toString('utf8');
    else if (name === 'id' && !value.includes(0)) this.#nextId = value.toString('utf8');
    else if (name === 'retry' && /^\d{1,9}$/.test(value.toString('latin1'))) {
      this.#retryMs = Number(value.toString('latin1'));
    }
  }

  #addLine(value: Buffer): void {
    if (this.#data.length + this.#blocks.length > 0) this.#held += NEWLINE.length;
    this.#hold(value, this.#data);
    if (this.#data.length < BLOCK_LINES) return;
    this.#blocks.push(joinLines(this.#data));
    this.#data = [];
  }

  #dispatch(): void {
    const lines = this.#blocks.length === 0 ? this.#data : [...this.#blocks, ...this.#data];
    const isMessage = this.#type === '' || this.#type === 'message';
    this.#held = 0;
    this.#blocks = [];
    this.#data = [];
    this.#type = '';
    this.#lastId = this.#nextId;
    if (lines.length === 0 || !isMessage) return;
    const data = joinLines(lines);
    // An empty event only carries an id to resume from.
    if (data.length > 0) this.#take(data);
  }
}

function joinLines([first = NOTHING, ...rest]: readonly Buffer[]): Buffer {
  return rest.length === 0
    ? first
    : Buffer.concat([first, ...rest.flatMap((part) => [NEWLINE, part])]);
}
