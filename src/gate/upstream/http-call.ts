/**
 * One message under way to a server over HTTP, from the POST to the end of its answer. An answer of the
 * 2025 revisions that is interrupted is continued from its last event.
 */
import type { Failure } from '../protocol/channel.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { isId, isRequest } from '../protocol/frame.ts';
import { POST_TYPES } from './begin-session.ts';
import type { HttpClient } from './http-client.ts';
import type { End, Exchange } from './http-exchange.ts';
import { isForgotten, toRejection } from './read-answer.ts';
import type { AnswerHeaders } from './response-reader.ts';
import { toGet } from './server-stream.ts';

interface CallPort {
  readonly client: HttpClient;
  /** Of the session that it is sent in now. */
  readonly sessionHeaders: () => Readonly<Record<string, string>>;
  readonly sessionId: () => string | undefined;
  readonly silenceMs: number;
  head(call: HttpCall, headers: AnswerHeaders): void;
  message(call: HttpCall, bytes: Buffer, isEvent: boolean): void;
  /** The server closed the stream on purpose, to be asked for the rest after this long. */
  paused(call: HttpCall, retryMs: number): void;
  /** Nothing more is received. */
  done(call: HttpCall, outcome: Outcome): void;
}

/** How an HTTP answer ended, for a request that has no result yet. */
export type Outcome =
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** The server took the message, which is all that can be expected unless it is a request. */
  | { readonly kind: 'accepted'; readonly failure: Failure }
  | { readonly kind: 'error'; readonly frame: Frame }
  /** The server knows nothing of the session. */
  | { readonly kind: 'forgotten'; readonly session: string; readonly failure: Failure };

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
  #exchange: Exchange | undefined;
  /** Runs since it was cancelled. */
  #grace: NodeJS.Timeout | undefined;
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
    return this.isContinued || (this.#exchange?.hasLeft ?? false);
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
      { method: 'POST', headers: { ...POST_TYPES, ...headers }, body, silenceMs, isEndless },
      {
        head: (answer) => this.#port.head(this, answer),
        message: (bytes, isEvent) => this.#port.message(this, bytes, isEvent),
        done: (end) => this.#done(end),
      },
    );
  }

  /** It waits to be sent again. */
  takeBack(): void {
    this.isRepeated = true;
    this.#exchange = undefined;
    this.session = undefined;
  }

  get isCancelled(): boolean {
    return this.#grace !== undefined;
  }

  /**
   * Whether the server has to be told: the 2026 revision cancels by closing the request, and the older
   * ones by a message, after which there may still be an answer.
   */
  cancel(graceMs: number, fail: (failure: Failure) => void): boolean {
    if (this.isModern || !this.hasLeft) {
      const kind = this.hasLeft ? 'lost' : 'not-sent';
      this.abort();
      queueMicrotask(() => fail({ kind, detail: 'The request was cancelled' }));
      return false;
    }
    if (this.#grace !== undefined) return false;
    const failure = lost('The request was cancelled, and there was no answer');
    this.#grace = setTimeout(() => fail(failure), graceMs);
    return true;
  }

  settle(): void {
    this.isSettled = true;
    clearTimeout(this.#grace);
  }

  abort(): void {
    this.#exchange?.abort();
  }

  #done(end: End): void {
    const waitMs = this.isSettled || this.id === undefined ? undefined : this.#plan(end);
    const from = this.#continued?.from;
    if (waitMs === undefined || from === undefined) {
      this.#port.done(this, this.#toOutcome(end));
      return;
    }
    if (end.kind === 'answered') this.#port.paused(this, waitMs);
    const timer = setTimeout(() => {
      const { client, sessionHeaders, silenceMs } = this.#port;
      this.#exchange = client.start(toGet(sessionHeaders(), silenceMs, from), {
        message: (bytes, isEvent) => this.#port.message(this, bytes, isEvent),
        done: (again) => this.#done(again),
      });
    }, waitMs);
    this.#exchange = { hasLeft: true, abort: () => clearTimeout(timer) };
  }

  #toOutcome(end: End): Outcome {
    const { session } = this;
    const isGone = end.kind === 'answered' && isForgotten(end);
    const forgotten = isGone && session !== undefined ? { session } : undefined;
    if (this.isContinued) {
      // It did arrive, however the attempt to continue its answer ended.
      const failure = lost('The answer was interrupted and could not be continued');
      return forgotten
        ? { kind: 'forgotten', ...forgotten, failure }
        : { kind: 'failure', failure };
    }
    if (end.kind === 'failed') return { kind: 'failure', failure: end.failure };
    const { status } = end;
    if (status < 300) {
      return { kind: 'accepted', failure: lost('The server ended its answer without a result') };
    }
    if (forgotten === undefined) return toRejection(end, this.id ?? '', Date.now());
    const detail = 'The server has forgotten the session';
    return { kind: 'forgotten', ...forgotten, failure: { kind: 'refused', detail, status } };
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
    const retryMs = end.retryMs ?? before?.retryMs ?? FIRST_PAUSE_MS;
    this.#continued = { from, failures, heardAt, retryMs };
    const pauseMs = retryMs * 2 ** failures;
    return Math.min(Math.max(pauseMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  }
}

function lost(detail: string): Failure {
  return { kind: 'lost', detail };
}

interface Continued {
  /** The id of the last event that was received. */
  readonly from: string;
  /** Attempts in a row that did not reach the server. */
  readonly failures: number;
  /** When there last was a new event. */
  readonly heardAt: number;
  /** How long to wait, as the server said last. */
  readonly retryMs: number;
}
