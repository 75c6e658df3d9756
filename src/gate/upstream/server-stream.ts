/**
 * The stream of a 2025 session that the server sends on unasked. It is opened again whenever it ends,
 * from where it ended; not every server has one.
 */
import type { HttpClient } from './http-client.ts';
import type { End, Exchange, Order } from './http-exchange.ts';
import { isForgotten } from './read-answer.ts';

interface StreamPort {
  /** Of the session. */
  readonly headers: Readonly<Record<string, string>>;
  receive(bytes: Buffer): void;
  /** The server had this stream, and says now that there is no such session. */
  forgotten(): void;
}

const SHORTEST_PAUSE_MS = 100;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** Nobody waits for the stream, but it must not take forever to begin. */
const SILENCE_MS = 300_000;

export class ServerStream {
  readonly #client: HttpClient;
  readonly #port: StreamPort;
  #exchange: Exchange | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastEventId: string | undefined;
  /** How long to wait, as the server said last. */
  #retryMs = FIRST_PAUSE_MS;
  #failures = 0;
  #wasOpen = false;

  constructor(client: HttpClient, port: StreamPort) {
    this.#client = client;
    this.#port = port;
    this.#open();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#exchange?.abort();
  }

  #open(): void {
    const order = toGet(this.#port.headers, SILENCE_MS, this.#lastEventId);
    this.#exchange = this.#client.start(
      { ...order, isEndless: true },
      {
        head: () => {
          this.#wasOpen = true;
          this.#failures = 0;
        },
        message: (bytes) => this.#port.receive(bytes),
        done: (end) => this.#ended(end),
      },
    );
  }

  #ended(end: End): void {
    const { status = 0 } = end.kind === 'answered' ? end : {};
    if (end.kind === 'answered' && this.#wasOpen && isForgotten(end)) {
      this.#port.forgotten();
      return;
    }
    // A server that is busy has a stream all the same.
    const isRefused = status >= 400 && status < 500 && status !== 429 && status !== 408;
    if (status === 501 || (isRefused && !this.#wasOpen)) return;
    this.#lastEventId = end.lastEventId ?? this.#lastEventId;
    this.#retryMs = Math.max(end.retryMs ?? this.#retryMs, SHORTEST_PAUSE_MS);
    const waitMs = Math.min(this.#retryMs * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failures += 1;
    this.#timer = setTimeout(() => this.#open(), waitMs);
    this.#timer.unref();
  }
}

export function toGet(
  session: Readonly<Record<string, string>>,
  silenceMs: number,
  lastEventId: string | undefined,
): Order {
  const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return {
    method: 'GET',
    headers: { accept: 'text/event-stream', ...session, ...resumed },
    silenceMs,
  };
}
