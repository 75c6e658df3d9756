/** Requests to a server whose answers are ours to look at: a client's, and some of our own making. */
import { randomBytes } from 'node:crypto';
import type { Delivery, Channel, Failure } from './channel.ts';
import { eraOf, ENVELOPE_KEYS } from './envelope.ts';
import type { Frame, JsonObject, RpcId } from './frame.ts';
import { isId, toFrame } from './frame.ts';
import { isObject } from './read-frame.ts';

type Waiter = (delivery: Delivery) => void;

export class Requests {
  readonly #channel: Channel;
  /** Random, so that no client can pass its ids off as ours. */
  readonly #prefix = `plimsoll-${randomBytes(8).toString('hex')}-`;
  readonly #waiting = new Map<RpcId, Waiter>();
  #serial = 0;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  newId(): string {
    this.#serial += 1;
    return `${this.#prefix}${this.#serial}`;
  }

  isOwn(id: unknown): boolean {
    return typeof id === 'string' && id.startsWith(this.#prefix);
  }

  isWaiting(id: RpcId): boolean {
    return this.#waiting.has(id);
  }

  /** Sends a request; `waiter` gets whatever becomes of it. */
  follow(id: RpcId, frame: Frame, waiter: Waiter): void {
    this.#waiting.set(id, waiter);
    this.#channel.send(frame);
  }

  exchange(id: RpcId, frame: Frame): Promise<Delivery> {
    return new Promise((resolve) => this.follow(id, frame, resolve));
  }

  /** A request of our own, in the era and in the name of the client whose frame it is like. */
  request(like: Frame, method: string, params: JsonObject): Promise<Delivery> {
    const id = this.newId();
    const frame = toFrame({ jsonrpc: '2.0', id, method, params: withEnvelope(params, like) });
    const { caller } = like;
    return this.exchange(id, caller === undefined ? frame : { ...frame, caller });
  }

  /** Whether somebody waited for this answer. */
  answer(frame: Frame): boolean {
    const { id } = frame.message;
    return isId(id) && (this.#settle(id, { kind: 'answer', frame }) || this.isOwn(id));
  }

  fail(id: RpcId, failure: Failure): boolean {
    return this.#settle(id, { kind: 'failure', failure }) || this.isOwn(id);
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
  const meta = message.params?.['_meta'];
  if (eraOf(message) === 'legacy' || !isObject(meta)) return params;
  const envelope = Object.entries(meta).filter(([key]) => ENVELOPE_KEYS.includes(key));
  return { ...params, _meta: Object.fromEntries(envelope) };
}
