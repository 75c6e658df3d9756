/**
 * A session of the 2025 revisions with a server: its id and version, the stream that the server speaks
 * on unasked, and how it is begun again when the server has forgotten it.
 */
import type { Frame } from '../protocol/frame.ts';
import { isObject, readServerFrame } from '../protocol/read-frame.ts';
import type { Abort, End, Order, Link } from './http-client.ts';
import { toOneLine } from './to-failure.ts';

export const ACCEPT = 'application/json, text/event-stream';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const FAREWELL_MS = 1000;

export class ServerSession implements AsyncDisposable {
  readonly #link: Link;
  readonly #take: (bytes: Buffer) => void;
  #id: string | undefined;
  #version: string | undefined;
  #initialize: Frame | undefined;
  #initialized: Frame | undefined;
  #renewal: Promise<boolean> | undefined;
  #abortStream: Abort | undefined;
  #pause: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(link: Link, take: (bytes: Buffer) => void) {
    this.#link = link;
    this.#take = take;
  }

  get id(): string | undefined {
    return this.#id;
  }

  get isOpen(): boolean {
    return this.#version !== undefined;
  }

  get headers(): Record<string, string> {
    return {
      ...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }

  /** A client begins: whatever was agreed before is over. */
  begin(initialize: Frame): void {
    this.#closeStream();
    this.#initialize = initialize;
    this.#initialized = undefined;
    this.#id = undefined;
    this.#version = undefined;
  }

  learnId(id: string | string[] | undefined): void {
    if (typeof id === 'string') this.#id = id;
  }

  learnVersion(frame: Frame): void {
    const { result } = frame.message;
    const version = isObject(result) ? result['protocolVersion'] : undefined;
    if (typeof version === 'string') this.#version = version;
  }

  confirm(initialized: Frame): void {
    this.#initialized = initialized;
  }

  /** What the server says unasked; not every server has such a stream. */
  openStream(lastEventId?: string, pauseMs: number = FIRST_PAUSE_MS): void {
    if (this.#isClosed) return;
    this.#closeStream();
    let hasSpoken = false;
    this.#abortStream = this.#link.start(this.#toGet(lastEventId), {
      head: () => {
        hasSpoken = true;
      },
      message: this.#take,
      done: (end) => this.#comeBack(end, lastEventId, hasSpoken ? FIRST_PAUSE_MS : pauseMs),
    });
  }

  /** Takes up a stream that the server has closed before it had said all. */
  resume(lastEventId: string, take: (bytes: Buffer) => void, done: (end: End) => void): Abort {
    return this.#link.start(this.#toGet(lastEventId), { message: take, done });
  }

  /** Begins again with what the client began with; many requests share one attempt. */
  renew(lost: string): Promise<boolean> {
    if (this.#id !== lost && this.#renewal === undefined) return Promise.resolve(true);
    this.#renewal ??= this.#beginAgain().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#closeStream();
    if (this.#id === undefined) return;
    await new Promise<void>((resolve) => {
      const order: Order = { method: 'DELETE', headers: this.headers, silenceMs: FAREWELL_MS };
      this.#link.start(order, { message: () => {}, done: () => resolve() });
    });
    this.#id = undefined;
  }

  #toGet(lastEventId: string | undefined): Order {
    const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const headers = { accept: 'text/event-stream', ...this.headers, ...resumed };
    return { method: 'GET', headers, silenceMs: 0 };
  }

  #comeBack(end: End, before: string | undefined, pauseMs: number): void {
    this.#abortStream = undefined;
    // A server without a stream says so by its status, and one without the session by 404.
    if (this.#isClosed || (end.kind === 'answered' && end.status >= 400)) return;
    const lastEventId = (end.kind === 'answered' ? end.lastEventId : undefined) ?? before;
    const wait = (end.kind === 'answered' ? end.retryMs : undefined) ?? pauseMs;
    const next = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    this.#pause = setTimeout(() => this.openStream(lastEventId, next), wait);
    this.#pause.unref();
  }

  #closeStream(): void {
    clearTimeout(this.#pause);
    this.#abortStream?.();
    this.#abortStream = undefined;
  }

  async #beginAgain(): Promise<boolean> {
    const { bytes } = this.#initialize ?? {};
    if (bytes === undefined || this.#isClosed) return false;
    this.#closeStream();
    this.#id = undefined;
    this.#version = undefined;
    if (!(await this.#post(bytes, true))) return false;
    if (this.#initialized === undefined) return true;
    if (!(await this.#post(this.#initialized.bytes, false))) return false;
    this.openStream();
    return true;
  }

  #post(body: Uint8Array, isLearning: boolean): Promise<boolean> {
    const types = { accept: ACCEPT, 'content-type': 'application/json' };
    const headers = { ...types, ...this.headers };
    const order: Order = { method: 'POST', headers, body, silenceMs: LONGEST_PAUSE_MS };
    return new Promise((resolve) => {
      this.#link.start(order, {
        head: (answer) => {
          if (isLearning) this.learnId(answer['mcp-session-id']);
        },
        message: (bytes) => {
          const frame = readServerFrame(toOneLine(bytes));
          if (isLearning && frame !== undefined) this.learnVersion(frame);
        },
        done: (end) => resolve(end.kind === 'answered' && end.status < 300),
      });
    });
  }
}
