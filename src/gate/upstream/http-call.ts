/**
 * One message under way to a server over HTTP, from the POST to the end of its answer. An answer of the
 * 2025 revisions that is interrupted is continued from its last event.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { isId, isRequest } from '../protocol/frame.ts';
import type { HttpClient } from './http-client.ts';
import type { End, Exchange } from './http-exchange.ts';
import { toGet } from './server-stream.ts';

interface CallPort {
  readonly client: HttpClient;
  /** Of the session that it is sent in now. */
  readonly sessionHeaders: () => Readonly<Record<string, string>>;
  readonly sessionId: () => string | undefined;
  readonly silenceMs: number;
  head(call: HttpCall, headers: IncomingHttpHeaders): void;
  message(call: HttpCall, bytes: Buffer): void;
  /** Nothing more is received. */
  done(call: HttpCall, end: End): void;
}

const MOST_FAILURES = 5;
const SHORTEST_PAUSE_MS = 100;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export class HttpCall {
  readonly frame: Frame;
  readonly isModern: boolean;
  /** Of a request; nobody waits for an answer to anything else. */
  readonly id: RpcId | undefined;
  readonly #port: CallPort;
  /** The session that it was sent in. */
  session: string | undefined;
  isSettled = false;
  /** It was sent again in another session. */
  isRepeated = false;
  /** Runs since it was cancelled. */
  grace: NodeJS.Timeout | undefined;
  #exchange: Exchange | undefined;
  #continued: Continued | undefined;

  constructor(frame: Frame, isModern: boolean, port: CallPort) {
    const { id } = frame.message;
    this.frame = frame;
    this.isModern = isModern;
    this.id = isRequest(frame) && isId(id) ? id : undefined;
    this.#port = port;
  }

  /** Whether any of it may have reached the server. */
  get hasLeft(): boolean {
    return this.#exchange?.hasLeft ?? false;
  }

  get isPosted(): boolean {
    return this.#exchange !== undefined;
  }

  /** The server has begun to answer it, so that it was not refused. */
  get isContinued(): boolean {
    return this.#continued !== undefined;
  }

  post(headers: Readonly<Record<string, string>>): void {
    const { client, silenceMs } = this.#port;
    const { bytes: body, message } = this.frame;
    const isEndless = message.method === 'subscriptions/listen';
    this.session = this.isModern ? undefined : this.#port.sessionId();
    this.#exchange = client.start(
      { method: 'POST', headers, body, silenceMs, isEndless },
      {
        head: (answer) => this.#port.head(this, answer),
        message: (bytes) => this.#port.message(this, bytes),
        done: (end) => this.#done(end),
      },
    );
  }

  /** It waits to be sent again. */
  takeBack(): void {
    this.#exchange = undefined;
    this.session = undefined;
  }

  settle(): void {
    this.isSettled = true;
    clearTimeout(this.grace);
  }

  abort(): void {
    this.#exchange?.abort();
  }

  #done(end: End): void {
    const waitMs = this.isSettled || this.id === undefined ? undefined : this.#plan(end);
    const from = this.#continued?.from;
    if (waitMs === undefined || from === undefined) {
      this.#port.done(this, end);
      return;
    }
    const timer = setTimeout(() => {
      const { client, sessionHeaders, silenceMs } = this.#port;
      this.#exchange = client.start(toGet(sessionHeaders(), silenceMs, from), {
        message: (bytes) => this.#port.message(this, bytes),
        done: (again) => this.#done(again),
      });
    }, waitMs);
    this.#exchange = { hasLeft: true, abort: () => clearTimeout(timer) };
  }

  /** When the answer is to be continued, if it can be. */
  #plan(end: End): number | undefined {
    const from = end.lastEventId ?? this.#continued?.from;
    if (this.isModern || from === undefined || this.session !== this.#port.sessionId()) {
      return undefined;
    }
    const { status = 500 } = end.kind === 'answered' ? end : {};
    if (status >= 300 && status < 500 && status !== 429) return undefined;
    const before = this.#continued;
    // A server that closes the stream only to be asked again is not failing.
    const failures = before === undefined || status < 300 ? 0 : before.failures + 1;
    const heardAt = before?.from === from ? before.heardAt : Date.now();
    const isLate = Date.now() - heardAt > this.#port.silenceMs;
    if (isLate || failures > MOST_FAILURES) return undefined;
    this.#continued = { from, failures, heardAt };
    const pauseMs = end.retryMs ?? FIRST_PAUSE_MS * 2 ** failures;
    return Math.min(Math.max(pauseMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  }
}

interface Continued {
  /** The id of the last event that was received. */
  readonly from: string;
  /** Attempts in a row that did not reach the server. */
  readonly failures: number;
  /** When there last was a new event. */
  readonly heardAt: number;
}
