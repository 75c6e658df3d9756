/**
 * One HTTP request to a server: the messages of its answer as they arrive, then how it ended. Knows
 * whether the request can have reached the server, since the platform's sockets tell when the
 * connection was ready and when the last byte was written.
 */
import type {
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
} from 'node:http';
import { nodeHttp, nodeHttps } from '../../lib/builtins.ts';
import type { Failure } from '../protocol/channel.ts';
import { EventReader, EventTooLargeError } from '../protocol/events.ts';

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
  head?(headers: IncomingHttpHeaders): void;
  message(bytes: Buffer): void;
  /** Once, unless aborted. */
  done(end: End): void;
}

export type End = (Answered | { readonly kind: 'failed'; readonly failure: Failure }) & Resumption;

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
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

interface Place extends RequestOptions {
  /** The largest message that is accepted. */
  readonly maxBytes: number;
  /** For name lookup, TCP and TLS together. */
  readonly connectMs: number;
}

/** Finds out that the other machine is gone, where a stream may be silent. */
const PROBE_MS = 30_000;
const ERROR_BODY_BYTES = 1024 * 1024;
const ERROR_BODY_MS = 10_000;

export class HttpExchange implements Exchange {
  readonly #place: Place;
  readonly #order: Order;
  readonly #watcher: Watcher;
  #request: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #events: EventReader | undefined;
  /** An answer from 300 up: its status counts, whatever happens to its body. */
  #refusal: Answered | undefined;
  #isOver = false;
  /** The connection is ready, so that bytes may be on their way. */
  #isReady = false;
  /** The system has all bytes; until then the server cannot have read the whole request. */
  #isWritten = false;

  constructor(place: Place, order: Order, watcher: Watcher) {
    this.#place = place;
    this.#order = order;
    this.#watcher = watcher;
    this.#limit(place.connectMs, 'no connection in time');
    try {
      this.#start();
    } catch (error) {
      // A client may have sent what is not allowed in a header.
      queueMicrotask(() => this.#fail(error instanceof Error ? error : new Error(String(error))));
    }
  }

  get hasLeft(): boolean {
    return this.#isReady;
  }

  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#request?.destroy();
  }

  #start(): void {
    const { method, headers, body, silenceMs } = this.#order;
    const isSecure = this.#place.protocol === 'https:';
    const request = (isSecure ? nodeHttps() : nodeHttp()).request({
      ...this.#place,
      method,
      headers,
    });
    this.#request = request;
    const ready = (): void => {
      this.#isReady = true;
      this.#limit(silenceMs, 'no answer in time');
    };
    request.once('socket', (socket) => {
      if (!request.reusedSocket) socket.setKeepAlive(true, PROBE_MS);
      // With TLS nothing is sent before the certificate was accepted.
      if (request.reusedSocket || (!isSecure && !socket.connecting)) ready();
      else socket.once(isSecure ? 'secureConnect' : 'connect', ready);
    });
    request.once('finish', () => (this.#isWritten = true));
    request.on('error', (error) => this.#fail(error));
    request.once('response', (response) => this.#read(response));
    request.end(body);
  }

  #read(response: IncomingMessage): void {
    this.#isReady = true;
    this.#isWritten = true;
    const { statusCode: status = 0, headers } = response;
    const answered: Answered = { kind: 'answered', status, headers };
    response.once('error', (error) => this.#fail(error));
    response.once('close', () => this.#fail(new Error('the answer was cut off')));
    const isStream = /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
    if (status >= 300) this.#readRefusal(response, answered);
    else if (isStream) this.#readStream(response, answered);
    else this.#readMessage(response, answered);
    if (status < 300 && !this.#isOver) this.#watcher.head?.(headers);
  }

  #readStream(response: IncomingMessage, answered: Answered): void {
    const { silenceMs, isEndless = false } = this.#order;
    const events = new EventReader(this.#place.maxBytes, (data) => this.#message(data));
    this.#events = events;
    this.#limit(isEndless ? undefined : silenceMs, 'the stream was silent for too long');
    response.on('data', (chunk: Buffer) => {
      if (this.#isOver) return;
      this.#timer?.refresh();
      try {
        events.push(chunk);
      } catch (error) {
        if (!(error instanceof EventTooLargeError)) throw error;
        this.#fail(error);
      }
    });
    response.once('end', () => this.#end(answered));
  }

  #readMessage(response: IncomingMessage, answered: Answered): void {
    this.#limit(this.#order.silenceMs, 'the answer was not complete in time');
    this.#collect(response, this.#place.maxBytes, (body) => {
      if (body.length > 0) this.#message(body);
      this.#end(answered);
    });
  }

  #readRefusal(response: IncomingMessage, answered: Answered): void {
    this.#refusal = answered;
    const limitMs = Math.min(this.#order.silenceMs, ERROR_BODY_MS);
    this.#limit(limitMs, 'the answer was not complete in time');
    this.#collect(response, Math.min(this.#place.maxBytes, ERROR_BODY_BYTES), (body) =>
      this.#end(body.length > 0 ? { ...answered, body } : answered),
    );
  }

  #collect(response: IncomingMessage, limit: number, done: (body: Buffer) => void): void {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else this.#fail(new Error(`the answer has more than ${limit} bytes`));
    });
    response.once('end', () => {
      const [first, ...rest] = chunks;
      done(first === undefined || rest.length > 0 ? Buffer.concat(chunks) : first);
    });
  }

  #message(bytes: Buffer): void {
    if (!this.#isOver) this.#watcher.message(bytes);
  }

  #limit(afterMs: number | undefined, reason: string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (afterMs === undefined || this.#isOver) return;
    this.#timer = setTimeout(() => this.#fail(new Error(reason)), afterMs);
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    const kind = this.#isWritten ? 'lost' : 'not-sent';
    this.#end(this.#refusal ?? { kind: 'failed', failure: { kind, detail: describe(error) } });
    this.#request?.destroy();
  }

  #end(end: End): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    const { lastId, retryMs } = this.#events ?? {};
    this.#watcher.done({
      ...end,
      ...(lastId !== undefined && { lastEventId: lastId }),
      ...(retryMs !== undefined && { retryMs }),
    });
  }
}

function describe(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `The server could not be reached or did not answer${code}: ${error.message || 'no reason'}`;
}
