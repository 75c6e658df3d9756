/**
 * A session of the 2025 revisions with a server: its handshake, the stream that the server sends on
 * unasked, and how it is begun again when the server has forgotten it. It says when messages may be
 * sent; what is held until then is kept by its owner.
 */
import type { Failure } from '../protocol/channel.ts';
import { editFrame } from '../protocol/edit-frame.ts';
import type { Frame } from '../protocol/frame.ts';
import { isId } from '../protocol/frame.ts';
import { OwnIds } from '../protocol/own-ids.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { HttpClient } from './http-client.ts';
import type { End, Order } from './http-exchange.ts';
import { readAnswer, toRejection } from './read-answer.ts';
import { ServerStream } from './server-stream.ts';

export const POST_TYPES: Readonly<Record<string, string>> = Object.freeze({
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
});

const HANDSHAKE_MS = 30_000;
/** A client that was answered sends `notifications/initialized` at once, or not at all. */
const CONFIRM_MS = 1000;
const FAREWELL_MS = 1000;

interface SessionPort {
  /** Something that the server sent unasked. */
  receive(bytes: Buffer): void;
  /** What was held can be sent now, or fails. */
  release(failure?: Failure): void;
  /** The stream found out that the server has forgotten the session. */
  forgotten(id: string): void;
}

/**
 * - `open`: messages may be sent; also before any handshake, since a server may do without.
 * - `beginning`, `begun`: the handshake is under way, up to the answer to it, and up to its confirmation.
 * - `ended`: the server has forgotten the session, and the next message begins another.
 */
type State = 'open' | 'beginning' | 'begun' | 'ended';

export class ServerSession implements AsyncDisposable {
  readonly #client: HttpClient;
  readonly #port: SessionPort;
  readonly #ids = new OwnIds();
  #state: State = 'open';
  #id: string | undefined;
  #version: string | undefined;
  #initialize: Frame | undefined;
  #initialized: Frame | undefined;
  /** Requests that shape the session, by what they are about; a new session gets them again. */
  readonly #settings = new Map<string, Frame>();
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
    return {
      ...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }

  /** A client begins: whatever was agreed before no longer holds. */
  begin(initialize: Frame): void {
    this.#reset('beginning');
    this.#settings.clear();
    this.#initialize = initialize;
    this.#initialized = undefined;
  }

  learnId(request: Frame, id: string | string[] | undefined): void {
    if (request === this.#initialize && typeof id === 'string') this.#id = id;
  }

  /** From an answer: what must be known of the session, and done again in the next one. */
  learn(request: Frame, { message: { result } }: Frame): void {
    const { method, params = {} } = request.message;
    if (method === 'initialize' && request === this.#initialize) this.#learnVersion(result);
    if (!isObject(result)) return;
    if (method === 'logging/setLevel') this.#settings.set('level', request);
    const subject = JSON.stringify(params['uri'] ?? null);
    if (method === 'resources/subscribe') this.#settings.set(subject, request);
    if (method === 'resources/unsubscribe') this.#settings.delete(subject);
  }

  /** No answer to a client's `initialize`; the next attempt starts from nothing. */
  failed(request: Frame, failure: Failure): void {
    if (request !== this.#initialize || this.#state !== 'beginning') return;
    this.#state = 'open';
    this.#port.release({ ...failure, kind: failure.kind === 'refused' ? 'refused' : 'not-sent' });
  }

  /** Whether the confirmation is to be sent now; otherwise it is part of the next handshake. */
  confirm(initialized: Frame): boolean {
    this.#initialized = initialized;
    clearTimeout(this.#timer);
    if (this.#state === 'ended') return false;
    this.#state = 'begun';
    return true;
  }

  confirmed(initialized: Frame, isAccepted: boolean): void {
    if (initialized !== this.#initialized || this.#state !== 'begun') return;
    if (isAccepted) this.#openStream();
    this.#open();
  }

  /** The server has forgotten the session of this id; `false` if that was known. */
  end(id: string): boolean {
    if (this.#id !== id) return false;
    this.#reset('ended');
    return true;
  }

  /** Begins again with what the client began with, and with what it has set since. */
  async renew(): Promise<void> {
    const initialize = this.#initialize;
    if (this.#state !== 'ended' || this.#isRenewing || initialize === undefined) return;
    this.#isRenewing = true;
    const failure = await this.#shake(initialize);
    this.#isRenewing = false;
    // A client that began anew in the meantime takes over.
    if (this.#isClosed || this.#initialize !== initialize) return;
    if (failure !== undefined) {
      this.#reset('ended');
      this.#port.release(failure);
      return;
    }
    if (this.#initialized !== undefined) this.#openStream();
    this.#open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
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
      this.#port.release({ kind: 'not-sent', detail });
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
    this.#port.release();
  }

  #reset(state: State): void {
    this.#closeStream();
    this.#state = state;
    this.#id = undefined;
    this.#version = undefined;
  }

  /** The whole handshake with a new session. */
  async #shake(initialize: Frame): Promise<Failure | undefined> {
    const hello = await this.#post(initialize);
    if (this.#isClosed || this.#initialize !== initialize) return undefined;
    if (!isObject(hello.answer?.message.result)) return toFailure(hello, initialize);
    const version = hello.answer.message.result['protocolVersion'];
    if (typeof version === 'string') this.#version = version;
    if (this.#initialized === undefined) return undefined;
    const told = await this.#post(this.#initialized);
    if (told.end?.kind !== 'answered' || told.end.status >= 300) return toFailure(told, initialize);
    for (const setting of this.#settings.values()) {
      const value = this.#ids.next();
      await this.#post(editFrame(setting, [{ kind: 'set', path: ['id'], value }]));
    }
    return undefined;
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

  #post(frame: Frame): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { id } = frame.message;
    const headers = { ...POST_TYPES, ...this.headers };
    const order: Order = { method: 'POST', headers, body: frame.bytes, silenceMs: HANDSHAKE_MS };
    this.#client.start(order, {
      head: (answer) => this.learnId(frame, answer['mcp-session-id']),
      message: (bytes) => {
        const answer = readAnswer(bytes, isId(id) ? id : undefined);
        if (answer !== undefined && answer.message.id === id) resolve({ answer });
        else this.#port.receive(bytes);
      },
      done: (end) => resolve({ end }),
    });
    return promise;
  }
}

/** How one message of the handshake was received. */
interface Reply {
  readonly answer?: Frame;
  readonly end?: End;
}

/** For messages that wait for the session, none of which was sent. */
function toFailure({ end }: Reply, { message: { id } }: Frame): Failure {
  const detail = 'The server has forgotten the session, and a new one could not be begun';
  if (end?.kind !== 'answered' || end.status < 300 || !isId(id))
    return { kind: 'not-sent', detail };
  const rejection = toRejection(end, id, Date.now());
  if (rejection.kind === 'error' || rejection.failure.kind === 'lost') {
    return { kind: 'not-sent', detail };
  }
  return { ...rejection.failure, detail: `${detail}: ${rejection.failure.detail}` };
}
