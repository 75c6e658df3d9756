/** Requests to a server whose answers are ours to look at: a client's, and some of our own making. */
import { ShortLivedMap } from '../../lib/short-lived-map.ts';
import type { Delivery, Channel, Failure } from './channel.ts';
import { ENVELOPE_KEYS, eraOf, readMeta } from './envelope.ts';
import type { Frame, JsonObject, RpcId } from './frame.ts';
import { isId, toFrame, OwnIds } from './frame.ts';

type Waiter = (delivery: Delivery) => void;

export class Requests {
  readonly #channel: Channel;
  readonly #ids = new OwnIds();
  readonly #waiting = new ShortLivedMap<RpcId, Waiter>();

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  newId(): string {
    return this.#ids.next();
  }

  isOwn(id: unknown): boolean {
    return this.#ids.has(id);
  }

  isWaiting(id: RpcId): boolean {
    return this.#waiting.has(id);
  }

  /** Sends a request; `waiter` gets whatever becomes of it. */
  follow(id: RpcId, frame: Frame, waiter: Waiter): void {
    this.#waiting.set(id, waiter);
    this.#channel.send(frame);
  }

  /** A request of our own, in the era and in the name of the client whose frame it is like. */
  request(like: Frame, method: string, params: JsonObject): Promise<Delivery> {
    const frame = this.toRequest(like, method, params);
    return new Promise((resolve) => this.follow(frame.message.id ?? '', frame, resolve));
  }

  /** The same as a frame, not sent yet. */
  toRequest(like: Frame, method: string, params: JsonObject): Frame {
    const id = this.newId();
    const frame = toFrame({ jsonrpc: '2.0', id, method, params: withEnvelope(params, like) });
    const { caller } = like;
    return caller === undefined ? frame : { ...frame, caller };
  }

  /** Whether somebody waited for this answer. */
  answer(frame: Frame): boolean {
    const { id } = frame.message;
    return isId(id) && (this.#settle(id, { kind: 'answer', frame }) || this.isOwn(id));
  }

  fail(id: RpcId, failure: Failure): boolean {
    return this.#settle(id, { kind: 'failure', failure }) || this.isOwn(id);
  }

  /** The channel has ended: nothing more will be heard of any request. */
  failAll(failure: Failure): void {
    // Whoever is told may send something new, which is not failed with them.
    for (const id of this.#waiting.keys()) this.#settle(id, { kind: 'failure', failure });
  }

  #settle(id: RpcId, delivery: Delivery): boolean {
    const waiter = this.#waiting.get(id);
    if (waiter === undefined) return false;
    this.#waiting.delete(id);
    waiter(delivery);
    return true;
  }
}

/** The 2026 revision wants to be told version and capabilities with every request. */
function withEnvelope(params: JsonObject, { message }: Frame): JsonObject {
  if (eraOf(message) === 'legacy') return params;
  const meta = Object.entries(readMeta(message.params));
  const envelope = meta.filter(([key]) => ENVELOPE_KEYS.includes(key));
  return { ...params, _meta: Object.fromEntries(envelope) };
}
