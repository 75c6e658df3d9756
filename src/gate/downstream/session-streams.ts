/**
 * The streams of one session of the 2025 revisions. They outlive their connections: events carry ids
 * and are kept within a bound, so that a client that lost a connection can get what it missed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toPrimingEvent } from '../protocol/events.ts';
import { Reply } from './reply.ts';

export interface SessionStreamsOptions {
  /** Bytes kept for clients that reconnect; the newest message is kept whatever its size. */
  readonly replayBytes: number;
  /** How long a client that can reconnect is waited for before it counts as gone. */
  readonly graceMs: number;
  readonly report: (message: string, cause: unknown) => void;
}

interface Kept {
  readonly stream: SessionStream;
  readonly serial: number;
  readonly bytes: Uint8Array;
  isSent: boolean;
}

/** Clients of earlier revisions fail on an event without data. */
const FIRST_WITH_PRIMING = '2025-11-25';
/** A client that waits longer than this gets an id to reconnect with. */
const PRIME_AFTER_MS = 100;
const RETRY_MS = 1000;
const OVERHEAD = 100;
const EVENT_ID = /^(\d{1,15})-(\d{1,15})$/;

export class SessionStreams implements Disposable {
  readonly options: SessionStreamsOptions;
  /** For what belongs to no request. */
  readonly unasked: SessionStream;
  /** By number: those that a client can resume. */
  readonly #streams = new Map<number, SessionStream>();
  /** By serial number, oldest first. */
  readonly #kept = new Map<number, Kept>();
  #bytes = 0;
  #serial = 0;
  #count = 0;
  #dropped = 0;
  #version: string | undefined;

  constructor(options: SessionStreamsOptions) {
    this.options = options;
    this.unasked = new SessionStream(this, 0);
    this.#streams.set(0, this.unasked);
  }

  /** The revision that was agreed on; before that no stream can be resumed. */
  begin(version: string): void {
    this.#version = version;
  }

  get isResumable(): boolean {
    return this.#version !== undefined;
  }

  get isPriming(): boolean {
    return this.#version !== undefined && this.#version >= FIRST_WITH_PRIMING;
  }

  /** A stream for the answers to one POST; `gone` is called when its client will not get them. */
  open(
    request: IncomingMessage,
    response: ServerResponse,
    { gone, headers }: { gone: () => void; headers?: Readonly<Record<string, string>> },
  ): SessionStream {
    this.#count += 1;
    const stream = new SessionStream(this, this.#count, gone);
    stream.connect(request, response, headers);
    return stream;
  }

  /** The connection for what belongs to no request. A client that opens another has lost the last. */
  openUnasked(request: IncomingMessage, response: ServerResponse): void {
    this.unasked.connect(request, response);
    this.unasked.startStream();
    for (const kept of this.#kept.values()) {
      if (kept.stream === this.unasked && !kept.isSent) this.unasked.replay(kept);
    }
    if (this.#dropped > 0) {
      this.options.report(`${this.#dropped} messages were dropped before a client read them`, '');
    }
    this.#dropped = 0;
  }

  /** Whether the id names a stream whose rest can still be sent. */
  resume(lastEventId: string, request: IncomingMessage, response: ServerResponse): boolean {
    const [, number, serial] = EVENT_ID.exec(lastEventId) ?? [];
    const stream = number === undefined ? undefined : this.#streams.get(Number(number));
    if (stream === undefined) return false;
    stream.connect(request, response);
    stream.startStream();
    for (const kept of this.#kept.values()) {
      if (kept.stream === stream && kept.serial > Number(serial)) stream.replay(kept);
    }
    stream.endIfDone();
    return true;
  }

  newId(stream: SessionStream): { readonly serial: number; readonly id: string } {
    this.#streams.set(stream.number, stream);
    this.#serial += 1;
    return { serial: this.#serial, id: `${stream.number}-${this.#serial}` };
  }

  keep(stream: SessionStream, bytes: Uint8Array, isSent: boolean): string {
    const { serial, id } = this.newId(stream);
    this.#kept.set(serial, { stream, serial, bytes, isSent });
    stream.kept += 1;
    this.#bytes += sizeOf(bytes);
    for (const oldest of this.#kept.values()) {
      if (this.#bytes <= this.options.replayBytes || oldest.serial === serial) break;
      this.#forget(oldest);
    }
    return id;
  }

  [Symbol.dispose](): void {
    for (const stream of this.#streams.values()) stream.close();
    this.#kept.clear();
  }

  #forget({ stream, serial, bytes, isSent }: Kept): void {
    this.#kept.delete(serial);
    stream.kept -= 1;
    this.#bytes -= sizeOf(bytes);
    if (stream.isDone && stream.kept === 0) this.#streams.delete(stream.number);
    if (isSent) return;
    if (this.#dropped === 0) {
      const limit = `${this.options.replayBytes} bytes`;
      this.options.report(`a client does not read: of its messages only ${limit} are kept`, '');
    }
    this.#dropped += 1;
  }
}

/** A message takes room beyond its bytes, so that many small ones are bounded too. */
function sizeOf(bytes: Uint8Array): number {
  return bytes.length + OVERHEAD;
}

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
      ...(isPriming && { opening: () => this.#prime(), prefersEvents: true }),
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

  /** A message before the answer; not kept for a client without an id, which cannot reconnect. */
  say(bytes: Uint8Array): void {
    const isKept = this.#isUnasked || (this.#all.isResumable && (this.isConnected || this.#hasId));
    const id = isKept ? this.#all.keep(this, bytes, this.isConnected) : undefined;
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
    if (this.takesEvents) {
      this.startStream();
      if (isLast) this.answer(bytes);
      else this.say(bytes);
      return;
    }
    this.#batch.push(Buffer.from(bytes).toString('utf8'));
    if (isLast) this.answer(Buffer.from(`[${this.#batch.join(',')}]`));
  }

  /** Without an answer. */
  finish(): void {
    this.#isDone = true;
    this.endIfDone();
  }

  endIfDone(): void {
    if (this.#isDone) this.close();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#reply?.end();
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

  #prime(): Buffer {
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
