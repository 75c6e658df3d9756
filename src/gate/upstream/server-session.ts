/**
 * A session of the 2025 revisions with a server: its handshake, the stream that the server sends on
 * unasked, the messages that wait for it, and how it is begun again when the server has forgotten it.
 */
import type { Failure } from '../protocol/channel.ts';
import type { Frame } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import { beginSession, toSessionHeaders } from './begin-session.ts';
import type { HttpCall } from './http-call.ts';
import type { HttpClient } from './http-client.ts';
import type { Order } from './http-exchange.ts';
import { ServerStream } from './server-stream.ts';
import { SessionMemory } from './session-memory.ts';

/** A client that was answered sends `notifications/initialized` at once, or not at all. */
const CONFIRM_MS = 1000;
const FAREWELL_MS = 1000;

interface SessionPort {
  /** Something that the server sent unasked. */
  receive(bytes: Buffer): void;
  /** Something that the client must hear of the new session. */
  announce(frame: Frame): void;
  /** What was held can be sent now. */
  post(call: HttpCall): void;
  /** What was held cannot be sent. */
  fail(call: HttpCall, failure: Failure): void;
  /** The stream found out that the server has forgotten the session. */
  forgotten(id: string): void;
}

/**
 * - `open`: messages may be sent; also before any handshake, since a server may do without.
 * - `beginning`, `begun`: the handshake is under way, up to the answer to it, and up to its confirmation.
 * - `leaving`: the server has forgotten the session, and its owner has not parted with it yet.
 * - `ended`: the next message begins another.
 */
type State = 'open' | 'beginning' | 'begun' | 'leaving' | 'ended';

export class ServerSession implements AsyncDisposable {
  readonly #client: HttpClient;
  readonly #port: SessionPort;
  #state: State = 'open';
  #id: string | undefined;
  #version: string | undefined;
  /** What the client began with last, answered or not. */
  #initialize: Frame | undefined;
  /** What a new session is given again. */
  readonly #memory = new SessionMemory();
  #held: HttpCall[] = [];
  #isRenewing = false;
  #stream: ServerStream | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(client: HttpClient, port: SessionPort) {
    this.#client = client;
    this.#port = port;
  }

  get id(): string | undefined {
    return this.#id;
  }

  /** Whether a client has agreed on a version of the 2025 revisions. */
  get isLegacy(): boolean {
    return this.#version !== undefined || this.#state !== 'open';
  }

  get isReady(): boolean {
    return this.#state === 'open';
  }

  get headers(): Record<string, string> {
    return toSessionHeaders(this.#id, this.#version);
  }

  /** A message of the client leaves for the server, or waits for the session. */
  sent(frame: Frame): void {
    this.#memory.sent(frame);
  }

  /** A client begins: whatever was agreed before no longer holds. */
  begin(initialize: Frame): void {
    this.#reset('beginning');
    this.#initialize = initialize;
  }

  learnId(request: Frame, id: string | string[] | undefined): void {
    if (request === this.#initialize && typeof id === 'string') this.#id = id;
  }

  /** From an answer: what must be known of the session, and done again in the next one. */
  learn(request: Frame, answer: Frame): void {
    const isHandshake = request.message.method === 'initialize';
    // The client may have begun anew before it was answered.
    if (isHandshake && request !== this.#initialize) return;
    this.#memory.answered(request, answer);
    if (isHandshake) this.#learnVersion(answer.message.result);
  }

  /** No answer to a client's `initialize`; the next attempt starts from nothing. */
  failed(request: Frame, failure: Failure): void {
    if (request !== this.#initialize || this.#state !== 'beginning') return;
    this.#state = 'open';
    this.#release({ ...failure, kind: failure.kind === 'refused' ? 'refused' : 'not-sent' });
  }

  /** Whether the confirmation is to be sent now; otherwise it is part of the next handshake. */
  confirm(): boolean {
    clearTimeout(this.#timer);
    if (this.#state === 'leaving' || this.#state === 'ended') return false;
    this.#state = 'begun';
    return true;
  }

  confirmed(initialized: Frame, isAccepted: boolean): void {
    if (initialized !== this.#memory.initialized || this.#state !== 'begun') return;
    if (isAccepted) this.#openStream();
    this.#open();
  }

  /** Keeps a message until the session has begun. */
  hold(call: HttpCall): void {
    this.#held.push(call);
    if (this.#state === 'open') this.#release();
    else if (this.#state === 'ended') void this.renew();
  }

  /** What is held and fits is given back, not to be sent. */
  takeHeld(fits: (call: HttpCall) => boolean): readonly HttpCall[] {
    const taken = this.#held.filter(fits);
    this.#held = this.#held.filter((call) => !fits(call));
    return taken;
  }

  /** The server has forgotten the session of this id; `false` if that was known. */
  end(id: string): boolean {
    if (this.#id !== id) return false;
    this.#reset('leaving');
    return true;
  }

  /** Begins again with what the client began with, and with what it has set since. */
  async renew(): Promise<void> {
    const initialize = this.#initialize;
    const isOver = this.#state === 'leaving' || this.#state === 'ended';
    if (!isOver || this.#isRenewing || initialize === undefined) return;
    this.#state = 'ended';
    this.#isRenewing = true;
    const begun = await beginSession(this.#client, {
      initialize,
      replay: () => this.#memory.replay,
      receive: (bytes) => this.#port.receive(bytes),
    });
    this.#isRenewing = false;
    // A client that began anew in the meantime takes over.
    if (this.#isClosed || this.#initialize !== initialize) return;
    if (begun.kind !== 'begun') {
      this.#release(begun);
      return;
    }
    this.#id = begun.id;
    this.#version = begun.version;
    for (const change of this.#memory.listChanges) this.#port.announce(change);
    if (this.#memory.initialized !== undefined) this.#openStream();
    this.#open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#held = [];
    this.#closeStream();
    if (this.#id === undefined) return;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const timer = setTimeout(resolve, FAREWELL_MS);
    const order: Order = { method: 'DELETE', headers: this.headers, silenceMs: FAREWELL_MS };
    this.#client.start(order, { message: () => {}, done: resolve });
    await promise;
    clearTimeout(timer);
    this.#id = undefined;
  }

  #learnVersion(result: unknown): void {
    if (!isObject(result)) {
      this.#state = 'open';
      const detail = 'The server refused to begin a session';
      this.#release({ kind: 'not-sent', detail });
      return;
    }
    const version = result['protocolVersion'];
    if (typeof version === 'string') this.#version = version;
    if (this.#state !== 'beginning') return;
    this.#state = 'begun';
    this.#timer = setTimeout(() => this.#open(), CONFIRM_MS);
  }

  #open(): void {
    this.#state = 'open';
    this.#release();
  }

  #release(failure?: Failure): void {
    for (const call of this.#held.splice(0)) {
      if (failure === undefined) this.#port.post(call);
      else this.#port.fail(call, failure);
    }
  }

  #reset(state: State): void {
    this.#closeStream();
    this.#state = state;
    this.#id = undefined;
    this.#version = undefined;
  }

  #openStream(): void {
    this.#closeStream();
    const { headers } = this;
    const id = this.#id;
    this.#stream = new ServerStream(this.#client, {
      headers,
      receive: (bytes) => this.#port.receive(bytes),
      forgotten: () => {
        if (id !== undefined) this.#port.forgotten(id);
      },
    });
  }

  #closeStream(): void {
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#stream = undefined;
  }
}
