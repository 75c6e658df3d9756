/**
 * One HTTP request to a server: the messages of its answer as they arrive, then how it ended. Knows
 * whether the request can have reached the server, since its connection tells when it was ready and
 * when the last byte was written.
 */
import type { Failure } from '../protocol/channel.ts';
import { EventReader, EventTooLargeError } from '../protocol/events.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { Connection, OutgoingRequest } from './connection.ts';
import type { AnswerHeaders } from './response-reader.ts';
import { toRequestHead } from './request-head.ts';

export interface Order {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** How long the server may be silent: before its answer begins, and between parts of a stream. */
  readonly silenceMs: number;
  /** A stream that may be silent for as long as the connection lives. */
  readonly isEndless?: boolean;
}

export interface Watcher {
  /** Before the first message of an answer with a status below 300. */
  readonly head?: (headers: AnswerHeaders) => void;
  readonly message: (bytes: Buffer, isEvent: boolean) => void;
  /** Once, unless aborted. */
  readonly done: (end: End) => void;
}

export type End = (Answered | { readonly kind: 'failed'; readonly failure: Failure }) & Resumption;

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Of an answer with a status from 300 up, if it was short and came in time. */
  readonly body?: Buffer;
  /** With status 401: how a person signs in there. */
  readonly signIn?: string;
}

/** Where and when an interrupted stream can be continued. */
interface Resumption {
  readonly lastEventId?: string;
  readonly retryMs?: number;
}

/** A request under way. */
export interface Exchange {
  /** Whether any of it may have reached the server. */
  readonly hasLeft: boolean;
  /** Nothing is reported after it. */
  abort(): void;
}

interface Place {
  readonly pool: ConnectionPool;
  readonly path: string;
  /** The largest message that is accepted. */
  readonly maxBytes: number;
  /** For name lookup, TCP and TLS together. */
  readonly connectMs: number;
}

const ERROR_BODY_BYTES = 1024 * 1024;
const ERROR_BODY_MS = 10_000;

export class HttpExchange implements Exchange, OutgoingRequest {
  readonly head: string;
  readonly body: Uint8Array | undefined;
  readonly #place: Place;
  readonly #order: Order;
  readonly #watcher: Watcher;
  #connection: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #answered: Answered | undefined;
  #events: EventReader | undefined;
  /** Of a body that is not a stream. */
  #chunks: Buffer[] = [];
  #size = 0;
  #isOver = false;
  /** The connection is ready, so that bytes may be on their way. */
  #isReady = false;
  /** The system has, or may have, all bytes; until then the server cannot have read the whole request. */
  #isWritten = false;

  constructor(place: Place, order: Order, watcher: Watcher) {
    this.#place = place;
    this.#order = order;
    this.#watcher = watcher;
    this.body = order.body;
    try {
      this.head = toRequestHead(order, place.path);
    } catch (error) {
      // A client may have sent what is not allowed in a header.
      this.head = '';
      queueMicrotask(() => this.failed(error instanceof Error ? error : String(error)));
      return;
    }
    place.pool.send(this);
  }

  get hasLeft(): boolean {
    return this.#isReady;
  }

  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#connection?.destroy();
  }

  assigned(connection: Connection): void {
    this.#connection = connection;
    if (!connection.isReady) this.#limit(this.#place.connectMs, 'no connection in time');
  }

  ready(): void {
    this.#isReady = true;
    this.#limit(this.#order.silenceMs, 'no answer in time');
  }

  written(): void {
    this.#isWritten = true;
  }

  answer(status: number, headers: AnswerHeaders): void {
    if (this.#isOver) return;
    this.#isWritten = true;
    this.#answered = { kind: 'answered', status, headers };
    const { silenceMs, isEndless = false } = this.#order;
    if (status >= 300) {
      this.#limit(Math.min(silenceMs, ERROR_BODY_MS), 'the answer was not complete in time');
    } else if (STREAM.test(headers['content-type'] ?? '')) {
      this.#events = new EventReader(this.#place.maxBytes, (data) => this.#message(data));
      this.#limit(isEndless ? undefined : silenceMs, 'the stream was silent for too long');
    } else this.#limit(silenceMs, 'the answer was not complete in time');
    if (status < 300) this.#watcher.head?.(headers);
  }

  data(bytes: Buffer): void {
    if (this.#isOver) return;
    if (this.#events === undefined) {
      this.#collect(bytes);
      return;
    }
    this.#timer?.refresh();
    try {
      this.#events.push(bytes);
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.failed(error);
    }
  }

  end(): void {
    const answered = this.#answered;
    // It may be in use by another request as soon as somebody hears of the answer.
    this.#connection = undefined;
    if (this.#isOver || answered === undefined) return;
    const [first, second] = this.#chunks;
    const body = first !== undefined && second === undefined ? first : Buffer.concat(this.#chunks);
    if (body.length === 0) this.#end(answered);
    else if (answered.status >= 300) this.#end({ ...answered, body });
    else {
      this.#message(body);
      this.#end(answered);
    }
  }

  failed(reason: Error | string): void {
    if (this.#isOver) return;
    const kind = this.#isWritten ? 'lost' : 'not-sent';
    const { status = 0 } = this.#answered ?? {};
    // The status of a refusal counts, whatever happens to its body.
    if (this.#answered !== undefined && status >= 300) this.#end(this.#answered);
    else this.#end({ kind: 'failed', failure: { kind, detail: describe(reason) } });
    this.#connection?.destroy();
  }

  #collect(bytes: Buffer): void {
    const { maxBytes } = this.#place;
    const { status = 0 } = this.#answered ?? {};
    const limit = status >= 300 ? Math.min(maxBytes, ERROR_BODY_BYTES) : maxBytes;
    this.#size += bytes.length;
    if (this.#size <= limit) this.#chunks.push(bytes);
    else this.failed(`the answer has more than ${limit} bytes`);
  }

  #message(bytes: Buffer): void {
    if (!this.#isOver) this.#watcher.message(bytes, this.#events !== undefined);
  }

  #limit(afterMs: number | undefined, reason: string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (afterMs === undefined || this.#isOver) return;
    this.#timer = setTimeout(() => this.failed(reason), afterMs);
  }

  #end(end: End): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#watcher.done(
      this.#events === undefined ? end : { ...end, ...toResumption(this.#events) },
    );
  }
}

const STREAM = /^text\/event-stream\b/i;

function toResumption({ lastId, retryMs }: EventReader): Resumption {
  return {
    ...(lastId !== undefined && { lastEventId: lastId }),
    ...(retryMs !== undefined && { retryMs }),
  };
}

function describe(reason: Error | string): string {
  const error = typeof reason === 'string' ? { message: reason } : reason;
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `The server could not be reached or did not answer${code}: ${error.message || 'no reason'}`;
}
