/**
 * A server that is reached over streamable HTTP, as a channel: one POST for each message, in both
 * protocol eras. What is received is handed up as the bytes that were read.
 */
import { ShortLivedMap } from '../../lib/short-lived-map.ts';
import type { Channel, Failure, Listener } from '../protocol/channel.ts';
import { eraOf, META, readMeta } from '../protocol/envelope.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { INTERNAL, isId, isRequest, toNotification } from '../protocol/frame.ts';
import { CANCEL_GRACE_MS } from '../protocol/in-flight.ts';
import type { Outcome } from './http-call.ts';
import { HttpCall } from './http-call.ts';
import type { HttpClientOptions } from './http-client.ts';
import { HttpClient } from './http-client.ts';
import { toPostHeaders } from './post-headers.ts';
import { readAnswer } from './read-answer.ts';
import { ServerSession } from './server-session.ts';

export interface HttpUpstreamOptions extends HttpClientOptions {
  /** How long the server may be silent before a request counts as lost. Default: five minutes. */
  readonly timeoutMs?: number;
  /** How long a cancelled request may still be answered. Default: a minute. */
  readonly cancelGraceMs?: number;
  /** The input schema of a tool, for arguments that it wants repeated in headers. */
  readonly toolOf?: (name: string) => { readonly inputSchema: JsonObject } | undefined;
}

const SILENCE_MS = 300_000;
/** When a session has ended, how long its other requests may take to be refused or answered. */
const SESSION_GRACE_MS = 1000;

const FORGOTTEN = 'The server has forgotten the session';

export function openHttpUpstream(options: HttpUpstreamOptions): Channel {
  return new HttpUpstream(options);
}

class HttpUpstream implements Channel {
  readonly #options: HttpUpstreamOptions;
  readonly #client: HttpClient;
  readonly #session: ServerSession;
  /** Requests that are not settled, whether sent or held. */
  readonly #calls = new ShortLivedMap<RpcId, HttpCall>();
  /** What the server has asked in this session; answers to an earlier one are not for it. */
  readonly #questions = new Set<RpcId>();
  readonly #port: ConstructorParameters<typeof HttpCall>[2];
  #listener: Listener | undefined;
  /** What the last modern request named; notifications do not say it themselves. */
  #modernVersion: string | undefined;
  /** The session that has ended, while others of its requests may still be settled. */
  #leaving: { readonly session: string; timer: NodeJS.Timeout } | undefined;
  #closing: Promise<void> | undefined;
  #state: 'open' | 'closing' | 'closed' = 'open';

  constructor(options: HttpUpstreamOptions) {
    this.#options = options;
    this.#client = new HttpClient(options);
    this.#session = new ServerSession(this.#client, {
      receive: (bytes) => this.#receive(bytes),
      announce: (frame) => {
        if (this.#state === 'open') this.#listener?.frame(frame);
      },
      post: (call) => this.#post(call),
      fail: (call, failure) => this.#fail(call, failure),
      forgotten: (session) => this.#leave(session),
    });
    this.#port = {
      client: this.#client,
      sessionHeaders: () => this.#session.headers,
      sessionId: () => this.#session.id,
      silenceMs: options.timeoutMs ?? SILENCE_MS,
      head: ({ frame }, headers) => this.#session.learnId(frame, headers['mcp-session-id']),
      message: ({ id }, bytes, isEvent) => this.#receive(bytes, id, isEvent),
      paused: ({ id }, retryMs) => {
        const frame = toNotification(INTERNAL.streamClosed, { retryMs }, id);
        if (this.#state === 'open') this.#listener?.frame(frame);
      },
      done: (call, end) => this.#ended(call, end),
    };
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send(frame: Frame): void {
    const call = new HttpCall(frame, this.#isModern(frame), this.#port);
    const { id } = call;
    if (this.#state !== 'open') this.#refuse(call, 'The channel is closed');
    else if (frame.message.method === 'notifications/cancelled') this.#cancel(call);
    else if (id !== undefined && this.#calls.has(id)) {
      this.#refuse(call, 'The id is in use by another request');
    } else {
      if (id !== undefined) this.#calls.set(id, call);
      if (call.isModern) this.#post(call);
      else this.#sendLegacy(call);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#state = 'closing';
    clearTimeout(this.#leaving?.timer);
    const detail = 'The channel was closed before the server answered';
    for (const call of this.#calls.values()) {
      this.#fail(call, { kind: call.hasLeft ? 'lost' : 'not-sent', detail });
    }
    await this.#session[Symbol.asyncDispose]();
    this.#client[Symbol.dispose]();
    this.#state = 'closed';
    this.#listener?.closed();
  }

  #isModern(frame: Frame): boolean {
    if (eraOf(frame.message) === 'modern') return true;
    return this.#modernVersion !== undefined && !this.#session.isLegacy && !isRequest(frame);
  }

  #sendLegacy(call: HttpCall): void {
    const { frame } = call;
    const { id, method } = frame.message;
    this.#session.sent(frame);
    if (method === 'initialize') this.#session.begin(frame);
    else if (method === 'notifications/initialized') {
      if (!this.#session.confirm()) return;
    } else if (method === undefined) {
      // A server may ask something before it answers the handshake, so an answer never waits.
      if (!isId(id) || !this.#questions.delete(id)) return;
    } else if (!this.#session.isReady) {
      this.#session.hold(call);
      return;
    }
    this.#post(call);
  }

  #post(call: HttpCall): void {
    const { frame, isModern } = call;
    const version = isModern ? readMeta(frame.message.params)[META.version] : undefined;
    if (typeof version === 'string') this.#modernVersion = version;
    const headers = toPostHeaders(frame, isModern, this.#options.toolOf);
    if (isModern) headers['mcp-protocol-version'] = this.#modernVersion ?? '';
    else Object.assign(headers, this.#session.headers);
    call.post(headers);
  }

  /** In the answer to a request, or on the stream of the session. */
  #receive(bytes: Buffer, request?: RpcId, isEvent = false): void {
    const read = this.#state === 'open' ? readAnswer(bytes, request) : undefined;
    if (read === undefined) return;
    const frame = isEvent ? { ...read, isEvent } : read;
    const { id, method } = frame.message;
    if (method === undefined) this.#answer(frame);
    else if (method !== INTERNAL.streamClosed) {
      if (isId(id)) this.#questions.add(id);
      this.#listener?.frame(frame);
    }
  }

  /** Counts once, whichever stream it is received on, and never for what was not sent. */
  #answer(frame: Frame): void {
    const { id } = frame.message;
    const call = isId(id) ? this.#calls.get(id) : undefined;
    if (call === undefined || !call.isPosted) return;
    this.#settle(call);
    if (!call.isModern) this.#session.learn(call.frame, frame);
    this.#listener?.frame(frame);
  }

  #ended(call: HttpCall, outcome: Outcome): void {
    if (outcome.kind === 'forgotten') {
      this.#forgotten(call, outcome.session, outcome.failure);
      return;
    }
    this.#session.confirmed(call.frame, outcome.kind === 'accepted');
    if (outcome.kind !== 'error') this.#fail(call, outcome.failure);
    else if (!call.isSettled) this.#answer(outcome.frame);
  }

  #cancel(cancel: HttpCall): void {
    const id = cancel.frame.message.params?.['requestId'];
    const call = isId(id) ? this.#calls.get(id) : undefined;
    if (call === undefined) {
      if (!cancel.isModern && this.#session.isReady) this.#post(cancel);
      return;
    }
    const graceMs = this.#options.cancelGraceMs ?? CANCEL_GRACE_MS;
    const isTold = call.cancel(graceMs, (failure) => this.#fail(call, failure));
    if (isTold && call.session === this.#session.id) this.#post(cancel);
  }

  /** What a server refused for its session goes into the next one, unless it has to be decided again. */
  #forgotten(call: HttpCall, session: string, failure: Failure): void {
    const { method } = call.frame.message;
    const isHarmless = call.id !== undefined && method !== 'tools/call';
    const isRepeatable = isHarmless || method === 'notifications/roots/list_changed';
    const isOver = call.isSettled || call.isRepeated || call.isCancelled || call.isContinued;
    this.#leave(session);
    if (isRepeatable && !isOver) {
      call.takeBack();
      this.#session.hold(call);
      this.#hurry();
    } else this.#fail(call, failure);
  }

  /** Others that were sent in the session may be refused in the same moment. */
  #leave(session: string): void {
    if (!this.#session.end(session)) return;
    const timer = setTimeout(() => this.#renew(session), SESSION_GRACE_MS);
    this.#leaving = { session, timer };
    this.#hurry();
  }

  #hurry(): void {
    if (this.#leaving === undefined || this.#state !== 'open') return;
    const { session } = this.#leaving;
    if (this.#sentIn(session).length > 0) return;
    clearTimeout(this.#leaving.timer);
    this.#leaving.timer = setTimeout(() => this.#renew(session), 0);
  }

  #renew(session: string): void {
    this.#leaving = undefined;
    for (const call of this.#sentIn(session)) this.#fail(call, { kind: 'lost', detail: FORGOTTEN });
    this.#questions.clear();
    this.#dropHeldCalls();
    this.#listener?.renewed();
    this.#dropHeldCalls();
    void this.#session.renew();
  }

  /** They were decided on by what the server said of itself in the session that ended. */
  #dropHeldCalls(): void {
    const calls = this.#session.takeHeld(({ frame }) => frame.message.method === 'tools/call');
    for (const call of calls) this.#fail(call, { kind: 'not-sent', detail: FORGOTTEN });
  }

  #sentIn(session: string): readonly HttpCall[] {
    return this.#calls.values().filter((call) => call.session === session);
  }

  #settle(call: HttpCall): void {
    call.settle();
    if (call.id !== undefined && this.#calls.get(call.id) === call) this.#calls.delete(call.id);
    this.#hurry();
  }

  #refuse(call: HttpCall, detail: string): void {
    queueMicrotask(() => this.#fail(call, { kind: 'not-sent', detail }));
  }

  #fail(call: HttpCall, failure: Failure): void {
    if (call.isSettled || this.#state === 'closed') return;
    this.#settle(call);
    if (call.isPosted) call.abort();
    else this.#session.takeHeld((each) => each === call);
    this.#session.failed(call.frame, failure);
    if (call.id !== undefined) this.#listener?.failed(call.id, failure);
  }
}
