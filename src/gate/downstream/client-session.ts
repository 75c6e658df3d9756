/**
 * A session of the 2025 revisions with a client: its own channel, the requests that wait, and the
 * stream for what belongs to none of them. Whatever finds no stream yet is kept for a short while.
 */
import type { Channel, Failure } from '../protocol/channel.ts';
import { toFailureFrame } from '../protocol/failure-frame.ts';
import type { Caller, Frame, RpcId } from '../protocol/frame.ts';
import { isId, isRequest, isResponse, toFrame } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import { readMeta } from '../protocol/envelope.ts';
import { CHANNEL_CLOSED, failReply } from './reply.ts';
import type { Line } from './session-table.ts';
import type { Reply } from './reply.ts';

interface Waiting {
  readonly reply: Reply;
  readonly token: RpcId | undefined;
  readonly isInitialize: boolean;
  readonly isBatched: boolean;
}

const MOST_KEPT = 64;
const LAST_WITH_BATCHES = '2025-03-26';

export class ClientSession implements Line {
  readonly #channel: Channel;
  readonly #settled: () => void;
  readonly #waiting = new Map<RpcId, Waiting>();
  readonly #kept: Uint8Array[] = [];
  #stream: Reply | undefined;
  #version: string | undefined;

  /** `settled` is called when nobody waits any longer, `closed` when the channel has ended. */
  constructor(channel: Channel, closed: () => void, settled: () => void = () => {}) {
    this.#channel = channel;
    this.#settled = settled;
    channel.listen({
      frame: (frame) => this.#receive(frame),
      failed: (id, failure) => this.#fail(id, failure),
      renewed: () => {},
      closed: () => {
        closed();
        this.#end();
      },
    });
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0 || (this.#stream !== undefined && !this.#stream.isOver);
  }

  get takesBatches(): boolean {
    return this.#version !== undefined && this.#version <= LAST_WITH_BATCHES;
  }

  get hasBegun(): boolean {
    return this.#version !== undefined;
  }

  isWaitingFor(id: RpcId): boolean {
    return this.#waiting.has(id);
  }

  request(frame: Frame, id: RpcId, reply: Reply, isBatched = false): void {
    const token = readMeta(frame.message.params)['progressToken'];
    this.#waiting.set(id, {
      reply,
      token: isId(token) ? token : undefined,
      isInitialize: frame.message.method === 'initialize',
      isBatched,
    });
    this.#channel.send(frame);
  }

  /** Notifications, and answers to what the server asked. */
  pass(frame: Frame): void {
    this.#channel.send(frame);
  }

  cancel(id: RpcId, caller: Caller): void {
    if (!this.#waiting.delete(id)) return;
    const params = { requestId: id, reason: 'The client has gone' };
    const frame = toFrame({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    this.#channel.send({ ...frame, caller });
  }

  /** A client that comes back has lost its old stream, whether or not we have noticed. */
  openStream(reply: Reply): void {
    this.#stream?.end();
    this.#stream = reply;
    reply.startStream();
    for (const bytes of this.#kept.splice(0)) reply.say(bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#channel[Symbol.asyncDispose]();
    this.#end();
  }

  #end(): void {
    for (const id of this.#waiting.keys()) this.#fail(id, CHANNEL_CLOSED);
    this.#stream?.end();
  }

  #receive(frame: Frame): void {
    if (isResponse(frame)) this.#answer(frame);
    else this.#say(frame);
  }

  #answer({ bytes, message }: Frame): void {
    const waiting = isId(message.id) ? this.#waiting.get(message.id) : undefined;
    if (waiting === undefined || !isId(message.id)) return;
    this.#waiting.delete(message.id);
    if (waiting.isInitialize && isObject(message.result)) {
      const { protocolVersion } = message.result;
      if (typeof protocolVersion === 'string') this.#version = protocolVersion;
    }
    if (this.#isShared(waiting)) waiting.reply.say(bytes);
    else waiting.reply.answer(bytes);
    if (this.#waiting.size === 0) this.#settled();
  }

  /** Whether other answers are still to come on the same stream. */
  #isShared({ reply, isBatched }: Waiting): boolean {
    return isBatched && [...this.#waiting.values()].some((other) => other.reply === reply);
  }

  #fail(id: RpcId, failure: Failure): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    if (this.#isShared(waiting)) waiting.reply.say(toFailureFrame(id, failure).bytes);
    else failReply(waiting.reply, id, failure);
    if (this.#waiting.size === 0) this.#settled();
  }

  #say(frame: Frame): void {
    const reply = this.#streamFor(frame);
    if (reply !== undefined) reply.say(frame.bytes);
    else if (this.#kept.length < MOST_KEPT) this.#kept.push(frame.bytes);
  }

  /** What belongs to a request goes with it; else a question goes where somebody waits for it. */
  #streamFor(frame: Frame): Reply | undefined {
    const { about, message } = frame;
    const open = [...this.#waiting.values()].filter(
      ({ reply }) => reply.takesEvents && !reply.isOver,
    );
    const own = about === undefined ? undefined : this.#waiting.get(about);
    if (own?.reply.takesEvents === true) return own.reply;
    if (message.method === 'notifications/progress') {
      const token = message.params?.['progressToken'];
      const named = open.find((waiting) => waiting.token === token);
      if (named !== undefined) return named.reply;
    }
    const stream = this.#stream?.isOver === false ? this.#stream : undefined;
    if (isRequest(frame)) return open.at(-1)?.reply ?? stream;
    if (message.method === 'notifications/message' && open.length === 1) return open[0]?.reply;
    return stream;
  }
}
