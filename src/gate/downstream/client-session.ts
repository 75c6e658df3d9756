/**
 * A session of the 2025 revisions with a client: its own channel, the requests that wait, and on which
 * of its streams each message of the server goes.
 */
import { ShortLivedMap } from '../../lib/short-lived-map.ts';
import type { Channel, Failure } from '../protocol/channel.ts';
import { CODES, readMeta } from '../protocol/envelope.ts';
import {
  toError,
  toFailureFrame,
  INTERNAL,
  isId,
  isRequest,
  isResponse,
  toNotification,
} from '../protocol/frame.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { toCancelled } from '../protocol/in-flight.ts';
import { isObject } from '../protocol/read-frame.ts';
import { hasBatches } from '../protocol/read-messages.ts';
import type { Inbound } from './http-request.ts';
import { CHANNEL_CLOSED, failReply } from './reply.ts';
import type { SessionStream } from './session-stream.ts';
import type { SessionStreamsOptions } from './session-streams.ts';
import { SessionStreams } from './session-streams.ts';

const NOT_SERVED = 'The method is not served here';

interface Waiting {
  readonly stream: SessionStream;
  readonly frame: Frame;
  readonly isBatched: boolean;
}

interface Ends {
  /** The channel has ended. */
  readonly closed: () => void;
  /** No request waits any longer. */
  readonly settled: () => void;
}

/** What one POST holds. */
interface Post {
  readonly frames: readonly Frame[];
  readonly isBatch: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ClientSession implements AsyncDisposable {
  readonly #channel: Channel;
  readonly #ends: Ends;
  readonly #waiting = new ShortLivedMap<RpcId, Waiting>();
  readonly #cancelled = new Set<RpcId>();
  readonly #streams: SessionStreams;
  #version: string | undefined;
  #leftAt: number | undefined;

  constructor(channel: Channel, options: SessionStreamsOptions, ends: Ends) {
    this.#channel = channel;
    this.#ends = ends;
    this.#streams = new SessionStreams(options);
    channel.listen({
      frame: (frame) => (isResponse(frame) ? this.#answer(frame) : this.#say(frame)),
      failed: (id, failure) => this.#fail(id, failure),
      renewed: () => {},
      closed: () => {
        ends.closed();
        this.#end();
      },
    });
  }

  /** A request whose client has gone for good does not keep a session open. */
  get isBusy(): boolean {
    if (this.#streams.unasked.isConnected) return true;
    return this.#waiting.values().some(({ stream }) => stream.isAwaited);
  }

  get leftAt(): number | undefined {
    return this.#leftAt;
  }

  get version(): string | undefined {
    return this.#version;
  }

  get takesBatches(): boolean {
    return hasBatches(this.#version);
  }

  isWaitingFor(id: RpcId): boolean {
    return this.#waiting.has(id);
  }

  /** Whether a reply will be written: there is none to notifications and answers alone. */
  post({ request, response }: Inbound, { frames, isBatch, headers = {} }: Post): boolean {
    const hasRequest = frames.some(isRequest);
    const gone = (): void => this.#tellGone(stream);
    const stream: SessionStream | undefined = hasRequest
      ? this.#streams.open(request, response, { gone, headers })
      : undefined;
    // All are known before the first is sent, so that none of a batch counts as its last too early.
    for (const frame of frames) {
      const { id } = frame.message;
      if (stream === undefined || !isRequest(frame) || !isId(id)) continue;
      this.#waiting.set(id, { stream, frame, isBatched: isBatch });
    }
    for (const frame of frames) {
      const cancelled = toCancelled(frame);
      if (cancelled !== undefined && this.#waiting.has(cancelled)) this.#cancelled.add(cancelled);
      const { id, method } = frame.message;
      if (method !== INTERNAL.callerGone) this.#channel.send(frame);
      else if (isId(id)) this.#answer(toError(id, CODES.methodNotFound, NOT_SERVED));
    }
    return hasRequest;
  }

  /** The stream for what belongs to no request, or the rest of one that was cut off. */
  get({ request, response }: Inbound): boolean {
    const last = request.headers['last-event-id'];
    if (typeof last === 'string' && last !== '') {
      return this.#streams.resume(last, request, response);
    }
    this.#streams.openUnasked(request, response);
    this.#leftAt = undefined;
    response.once('close', () => {
      if (!this.#streams.unasked.isConnected) this.#leftAt = Date.now();
    });
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#channel[Symbol.asyncDispose]();
    this.#end();
  }

  #end(): void {
    for (const id of this.#waiting.keys()) this.#fail(id, CHANNEL_CLOSED);
    this.#streams[Symbol.dispose]();
  }

  /** A client that hung up has not cancelled, but an approval for its call would serve nobody. */
  #tellGone(stream: SessionStream | undefined): void {
    for (const [requestId, { stream: own, frame }] of this.#waiting.entries()) {
      if (own !== stream) continue;
      const { caller } = frame;
      const gone = toNotification(INTERNAL.callerGone, { requestId });
      this.#channel.send(caller === undefined ? gone : { ...gone, caller });
    }
  }

  #answer(frame: Frame): void {
    const { bytes, message } = frame;
    const isCancelled = isId(message.id) && this.#cancelled.has(message.id);
    const waiting = this.#take(message.id);
    if (waiting === undefined) return;
    if (waiting.frame.message.method === 'initialize') this.#begin(frame);
    if (isCancelled && !waiting.isBatched) waiting.stream.finish(this.#newest);
    else if (waiting.isBatched) waiting.stream.answerInBatch(bytes, this.#isLast(waiting));
    else waiting.stream.answer(bytes);
    if (this.#waiting.size === 0) this.#ends.settled();
  }

  #begin({ message: { result }, isEvent = false }: Frame): void {
    const version = isObject(result) ? result['protocolVersion'] : undefined;
    if (typeof version !== 'string') return;
    this.#version = version;
    this.#streams.begin(version, isEvent);
  }

  #fail(id: RpcId, failure: Failure): void {
    const isCancelled = this.#cancelled.has(id);
    const waiting = this.#take(id);
    if (waiting === undefined) return;
    // Whoever cancelled expects no answer.
    if (isCancelled && !waiting.isBatched) waiting.stream.finish(this.#newest);
    else if (waiting.isBatched) {
      const { bytes } = toFailureFrame(id, failure);
      waiting.stream.answerInBatch(bytes, this.#isLast(waiting));
    } else failReply(waiting.stream, id, failure);
    if (this.#waiting.size === 0) this.#ends.settled();
  }

  #take(id: RpcId | null | undefined): Waiting | undefined {
    if (!isId(id)) return undefined;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#cancelled.delete(id);
    return waiting;
  }

  #isLast({ stream }: Waiting): boolean {
    return !this.#waiting.values().some((other) => other.stream === stream);
  }

  #say(frame: Frame): void {
    const { about, message } = frame;
    if (message.method === INTERNAL.streamClosed) {
      const retryMs = message.params?.['retryMs'];
      if (about === undefined || typeof retryMs !== 'number') return;
      this.#waiting.get(about)?.stream.part(retryMs);
      return;
    }
    const own = about === undefined ? undefined : this.#waiting.get(about)?.stream;
    const stream = own?.takesEvents === true ? own : this.#streamFor(frame);
    stream.say(frame.bytes, stream !== own && message.method !== 'notifications/progress');
  }

  /** The newest on which somebody takes events, or else that for what belongs to no request. */
  get #newest(): SessionStream {
    return this.#open().at(-1)?.stream ?? this.#streams.unasked;
  }

  #open(): readonly Waiting[] {
    return this.#waiting.values().filter(({ stream }) => stream.takesEvents);
  }

  /** For what cannot go with its own request: a question goes where somebody waits. */
  #streamFor(frame: Frame): SessionStream {
    const { message } = frame;
    const { unasked } = this.#streams;
    const open = this.#open();
    if (message.method === 'notifications/progress') {
      const token = message.params?.['progressToken'];
      const named = open.find(
        (waiting) => readMeta(waiting.frame.message.params)['progressToken'] === token,
      );
      if (named !== undefined) return named.stream;
    }
    if (isRequest(frame)) return this.#newest;
    if (message.method !== 'notifications/message') return unasked;
    // A log line does not say what it belongs to; it is better read in a wrong place than lost.
    if (open.length === 1 || !unasked.isConnected) return this.#newest;
    return unasked;
  }
}
