/**
 * All requests of one principal in the modern era on one channel. Clients choose their ids without
 * knowing of each other, so each request gets an id of its own here and its answer the old one back;
 * the same goes for progress tokens and subscriptions, which are named by ids.
 */
import { ShortLivedMap } from '../../lib/short-lived-map.ts';
import type { Channel, Failure } from '../protocol/channel.ts';
import type { Caller, Frame, RpcId, RpcMessage } from '../protocol/frame.ts';
import { INTERNAL, isId, isRequest, isResponse, toFrame } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import { META, readMeta } from '../protocol/envelope.ts';
import { CHANNEL_CLOSED, failReply } from './reply.ts';
import type { Edit } from '../protocol/edit-frame.ts';
import { editFrame } from '../protocol/edit-frame.ts';
import type { Reply } from './reply.ts';

interface Waiting {
  readonly id: RpcId;
  readonly token: RpcId | undefined;
  readonly wantsLogs: boolean;
  readonly reply: Reply;
}

const TOKEN_PATH = ['params', '_meta', 'progressToken'] as const;
const METHOD_NOT_FOUND = -32_601;

/** Faults of the request itself show in the status too; unknown names and bad arguments (-32602) are answers. */
const STATUS: ReadonlyMap<unknown, number> = new Map([
  [METHOD_NOT_FOUND, 404],
  [-32_020, 400],
  [-32_021, 400],
  [-32_022, 400],
]);

export class SharedLine implements AsyncDisposable {
  readonly #channel: Channel;
  readonly #waiting = new ShortLivedMap<RpcId, Waiting>();
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
    const meta = readMeta(frame.message.params);
    const given = meta['progressToken'];
    const token = isId(given) ? given : undefined;
    const wantsLogs = meta[META.logLevel] !== undefined;
    const reply = toReply(() => this.#cancel(own, frame.caller));
    this.#waiting.set(own, { id, token, wantsLogs, reply });
    const edits: Edit[] = [{ kind: 'set', path: ['id'], value: own }];
    if (token !== undefined) edits.push({ kind: 'set', path: TOKEN_PATH, value: own });
    this.#channel.send(editFrame(frame, edits));
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

  #answer(frame: Frame): void {
    const { message } = frame;
    const waiting = this.#take(message.id);
    if (waiting === undefined || !isId(message.id)) return;
    const { result, error } = message;
    const edits: Edit[] = [{ kind: 'set', path: ['id'], value: waiting.id }];
    if (readMeta(result)[META.subscription] === message.id) {
      const path = ['result', '_meta', META.subscription] as const;
      edits.push({ kind: 'set', path, value: waiting.id });
    }
    waiting.reply.answer(
      editFrame(frame, edits).bytes,
      isObject(error) ? (STATUS.get(error['code']) ?? 200) : 200,
    );
  }

  #pass(frame: Frame): void {
    const { message, about } = frame;
    if (message.method === INTERNAL.streamClosed) return;
    const waiting = this.#waiting.get(about ?? ownIdIn(message) ?? this.#logReader(message) ?? '');
    if (waiting === undefined) return;
    if (message.method === 'notifications/cancelled') {
      // The one thing that a server cancels is a subscription; its stream ends.
      this.#take(ownIdIn(message));
      waiting.reply.end();
      return;
    }
    const edits: Edit[] = [];
    if (message.method === 'notifications/progress' && waiting.token !== undefined) {
      edits.push({ kind: 'replace', path: ['params', 'progressToken'], value: waiting.token });
    }
    if (readMeta(message.params)[META.subscription] !== undefined) {
      const path = ['params', '_meta', META.subscription] as const;
      edits.push({ kind: 'set', path, value: waiting.id });
    }
    waiting.reply.say(editFrame(frame, edits).bytes);
  }

  /** A log line does not say what it belongs to: the only request, or the last that asked for logs. */
  #logReader({ method }: RpcMessage): RpcId | undefined {
    if (method !== 'notifications/message') return undefined;
    if (this.#waiting.size === 1) return this.#waiting.keys()[0];
    return this.#waiting.entries().findLast(([, { wantsLogs }]) => wantsLogs)?.[0];
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
        : readMeta(message.params)[META.subscription];
  return isId(named) ? named : undefined;
}
