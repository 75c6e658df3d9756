/**
 * All requests of one principal in the modern era on one channel. Clients choose their ids without
 * knowing of each other, so each request gets an id of its own here and its answer the old one back;
 * the same goes for progress tokens and subscriptions, which are named by ids.
 */
import type { Channel, Failure } from '../protocol/channel.ts';
import type { Caller, Frame, JsonObject, RpcId, RpcMessage } from '../protocol/frame.ts';
import { INTERNAL, isId, isRequest, isResponse, toFrame } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import { META, metaOf, SUBSCRIPTION_KEY } from '../protocol/envelope.ts';
import { CHANNEL_CLOSED, failReply } from './reply.ts';
import type { Replacement } from '../protocol/edit-frame.ts';
import { replaceAt, replaceId, replaceIn } from '../protocol/edit-frame.ts';
import type { Reply } from './reply.ts';

interface Waiting {
  readonly id: RpcId;
  readonly token: RpcId | undefined;
  readonly wantsLogs: boolean;
  readonly reply: Reply;
}

const TOKEN_PATH = ['params', '_meta', 'progressToken'];
const METHOD_NOT_FOUND = -32_601;

/** Faults of the request itself show in the status too. */
const STATUS: ReadonlyMap<unknown, number> = new Map([
  [METHOD_NOT_FOUND, 404],
  [-32_602, 400],
  [-32_020, 400],
  [-32_021, 400],
  [-32_022, 400],
]);

export class SharedLine implements AsyncDisposable {
  readonly #channel: Channel;
  readonly #waiting = new Map<RpcId, Waiting>();
  #lastId = 0;

  constructor(channel: Channel, closed: () => void) {
    this.#channel = channel;
    channel.listen({
      frame: (frame) => this.#receive(frame),
      failed: (id, failure) => this.#fail(id, failure),
      renewed: () => {},
      closed: () => {
        closed();
        for (const id of this.#waiting.keys()) this.#fail(id, CHANNEL_CLOSED);
      },
    });
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  /** The reply is made here, because its end before the answer is a cancel. */
  request(frame: Frame, id: RpcId, toReply: (left: () => void) => Reply): void {
    this.#lastId += 1;
    const own = this.#lastId;
    const meta = metaOf(frame.message);
    const given = meta?.['progressToken'];
    const token = isId(given) ? given : undefined;
    const wantsLogs = meta?.[META.logLevel] !== undefined;
    const reply = toReply(() => this.#cancel(own, frame.caller));
    this.#waiting.set(own, { id, token, wantsLogs, reply });
    const replacements: Replacement[] = [[['id'], own]];
    if (token !== undefined) replacements.push([TOKEN_PATH, own]);
    this.#channel.send({
      ...frame,
      bytes:
        token === undefined
          ? replaceId(frame.bytes, id, own)
          : replaceAt(frame.bytes, replacements),
      message: replaceIn(frame.message as JsonObject, replacements), // it was read from JSON
    });
  }

  /** Ids in notifications are the client's; closing is how a request is cancelled here. */
  notify(frame: Frame): void {
    const { method } = frame.message;
    if (method === 'notifications/cancelled' || method === INTERNAL.callerGone) return;
    this.#channel.send(frame);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#channel[Symbol.asyncDispose]();
    for (const id of this.#waiting.keys()) this.#fail(id, CHANNEL_CLOSED);
  }

  #cancel(own: RpcId, caller: Caller | undefined): void {
    if (!this.#waiting.delete(own)) return;
    const params = { requestId: own, reason: 'The client has gone' };
    const frame = toFrame({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    this.#channel.send({ ...frame, ...(caller !== undefined && { caller }) });
  }

  #receive(frame: Frame): void {
    const { message } = frame;
    if (isResponse(frame)) this.#answer(frame);
    else if (isRequest(frame)) {
      const error = {
        code: METHOD_NOT_FOUND,
        message: 'Servers of this revision send no requests',
      };
      this.#channel.send(toFrame({ jsonrpc: '2.0', id: message.id ?? null, error }));
    } else this.#pass(frame);
  }

  #answer({ bytes, message }: Frame): void {
    const waiting = this.#take(message.id);
    if (waiting === undefined || !isId(message.id)) return;
    const { result, error } = message;
    const subscription = isObject(result) && isObject(result['_meta']) ? result['_meta'] : {};
    const body = replaceId(bytes, message.id, waiting.id);
    const isSubscription = subscription[SUBSCRIPTION_KEY] === message.id;
    waiting.reply.answer(
      isSubscription
        ? replaceAt(body, [[['result', '_meta', SUBSCRIPTION_KEY], waiting.id]])
        : body,
      isObject(error) ? (STATUS.get(error['code']) ?? 200) : 200,
    );
  }

  #pass({ bytes, message, about }: Frame): void {
    if (message.method === INTERNAL.streamClosed) return;
    const waiting = this.#waiting.get(about ?? ownIdIn(message) ?? this.#logReader(message) ?? '');
    if (waiting === undefined) return;
    if (message.method === 'notifications/cancelled') {
      // The one thing that a server cancels is a subscription; its stream ends.
      this.#take(ownIdIn(message));
      waiting.reply.end();
      return;
    }
    const replacements: Replacement[] = [];
    if (message.method === 'notifications/progress' && waiting.token !== undefined) {
      replacements.push([['params', 'progressToken'], waiting.token]);
    }
    if (metaOf(message)?.[SUBSCRIPTION_KEY] !== undefined) {
      replacements.push([['params', '_meta', SUBSCRIPTION_KEY], waiting.id]);
    }
    waiting.reply.say(replacements.length === 0 ? bytes : replaceAt(bytes, replacements));
  }

  /** A log line does not say what it belongs to: the only request, or the last that asked for logs. */
  #logReader({ method }: RpcMessage): RpcId | undefined {
    if (method !== 'notifications/message') return undefined;
    if (this.#waiting.size === 1) return this.#waiting.keys().next().value;
    return [...this.#waiting].findLast(([, { wantsLogs }]) => wantsLogs)?.[0];
  }

  #fail(id: RpcId, failure: Failure): void {
    const waiting = this.#take(id);
    if (waiting !== undefined) failReply(waiting.reply, waiting.id, failure);
  }

  #take(id: RpcId | null | undefined): Waiting | undefined {
    if (!isId(id)) return undefined;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

function ownIdIn(message: RpcMessage): RpcId | undefined {
  const { method, params } = message;
  const named =
    method === 'notifications/progress'
      ? params?.['progressToken']
      : method === 'notifications/cancelled'
        ? params?.['requestId']
        : metaOf(message)?.[SUBSCRIPTION_KEY];
  return isId(named) ? named : undefined;
}
