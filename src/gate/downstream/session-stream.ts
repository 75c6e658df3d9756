/**
 * The answers to one POST of a session of the 2025 revisions, or what belongs to no request. Its connection may
 * break and be replaced; what was said meanwhile is kept by `session-streams.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toPrimingEvent } from '../protocol/events.ts';
import { Reply } from './reply.ts';
import type { Kept, SessionStreams } from './session-streams.ts';

/** A client that waits longer than this gets an id to reconnect with. */
const PRIME_AFTER_MS = 100;
const RETRY_MS = 1000;

export class SessionStream {
  readonly number: number;
  /** How many of its messages are kept. */
  kept = 0;
  readonly #all: SessionStreams;
  readonly #gone: () => void;
  #reply: Reply | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = RETRY_MS;
  readonly #batch: string[] = [];
  /** The client has an id to reconnect with. */
  #hasId = false;
  #isGone = false;
  #isDone = false;

  constructor(all: SessionStreams, number: number, gone: () => void = () => {}) {
    this.#all = all;
    this.number = number;
    this.#gone = gone;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get isConnected(): boolean {
    return this.#reply?.isOver === false;
  }

  /** Whether a message before the answer reaches the client, now or when it reconnects. */
  get takesEvents(): boolean {
    if (this.#isDone) return false;
    return this.isConnected ? this.#reply?.takesEvents === true : this.#hasId && !this.#isGone;
  }

  /** Whether a client waits, or may still reconnect. */
  get isAwaited(): boolean {
    return this.isConnected || (this.#hasId && !this.#isGone);
  }

  connect(
    request: IncomingMessage,
    response: ServerResponse,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    clearTimeout(this.#timer);
    this.#reply?.end();
    this.#isGone = false;
    // A client that reconnects has an id already.
    const isPriming = this.#all.isPriming && !this.#hasId;
    const reply: Reply = new Reply(request, response, {
      left: () => this.#left(reply),
      headers,
      ...(isPriming && { opening: () => this.#prime(), prefersEvents: this.#all.prefersEvents }),
    });
    this.#reply = reply;
    if (!isPriming) return;
    this.#timer = setTimeout(() => reply.startStream(), PRIME_AFTER_MS).unref();
  }

  startStream(): void {
    this.#reply?.startStream();
  }

  replay(kept: Kept): void {
    if (!this.isConnected) return;
    kept.isSent = true;
    this.#reply?.say(kept.bytes, `${this.number}-${kept.serial}`);
  }

  /**
   * A message before the answer; not kept for a client without an id, which cannot reconnect. A guest came here
   * because nothing says which request it belongs to.
   */
  say(bytes: Uint8Array, isGuest = false): void {
    // What the stream begins with has an id too, and a client that got no more resumes after it.
    if (this.isConnected) this.startStream();
    const isKept = this.#isUnasked || (this.#all.isResumable && (this.isConnected || this.#hasId));
    const id = isKept
      ? this.#all.keep(this, { bytes, isSent: this.isConnected, isGuest })
      : undefined;
    if (!this.isConnected) return;
    if (id !== undefined) this.#hasId = true;
    this.#reply?.say(bytes, id);
  }

  /** The last message. */
  answer(bytes: Uint8Array, status?: number, headers?: Readonly<Record<string, string>>): void {
    clearTimeout(this.#timer);
    if (this.isConnected && this.#reply?.isStream === false) {
      this.#reply.answer(bytes, status, headers);
    } else this.say(bytes);
    this.#isDone = true;
    this.endIfDone();
  }

  /** One of the answers to a batch: an event each, or one array for a client that takes no events. */
  answerInBatch(bytes: Uint8Array, isLast: boolean): void {
    // Also for a client that has gone with an id: it may come back, and gets the others as events.
    if (this.takesEvents || this.#hasId) {
      this.startStream();
      if (isLast) this.answer(bytes);
      else this.say(bytes);
      return;
    }
    this.#batch.push(Buffer.from(bytes).toString('utf8'));
    if (isLast) this.answer(Buffer.from(`[${this.#batch.join(',')}]`));
  }

  /** Without an answer. Whoever cancelled wants nothing more of it; guests that were not sent go elsewhere. */
  finish(elsewhere: SessionStream): void {
    this.#isDone = true;
    for (const { bytes, isGuest, isSent } of this.#all.takeKept(this)) {
      if (isGuest && !isSent) elsewhere.say(bytes, true);
    }
    this.endIfDone();
  }

  endIfDone(): void {
    if (!this.#isDone) return;
    this.close();
    this.#all.drop(this);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#reply?.end();
    // What is kept for a client that comes back must not keep the connection that has ended.
    if (this.#isDone) this.#reply = undefined;
  }

  /** Lets the client poll, as its server wants it to; only a client that can reconnect. */
  part(retryMs: number): void {
    const reply = this.#reply;
    if (this.#isDone || reply?.isOver !== false) return;
    if (!this.#all.isPriming || !reply.takesEvents) return;
    this.#retryMs = retryMs;
    reply.startStream();
    reply.end();
    this.#waitForReturn(retryMs);
  }

  /** Its messages are kept even before a client opens it. */
  get #isUnasked(): boolean {
    return this === this.#all.unasked;
  }

  #prime(): Buffer | undefined {
    if (this.#isDone) return undefined;
    this.#hasId = true;
    return toPrimingEvent(this.#all.newId(this).id, this.#retryMs);
  }

  #left(reply: Reply): void {
    if (this.#reply !== reply || this.#isDone) return;
    clearTimeout(this.#timer);
    if (this.#hasId) this.#waitForReturn(0);
    else this.#giveUp();
  }

  #waitForReturn(ms: number): void {
    clearTimeout(this.#timer);
    const wait = ms + this.#all.options.graceMs;
    this.#timer = setTimeout(() => this.#giveUp(), wait).unref();
  }

  #giveUp(): void {
    this.#isGone = true;
    this.#gone();
  }
}
