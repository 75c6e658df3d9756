/**
 * The requests that a channel has sent and not settled. A cancelled one stays until it is answered or its
 * grace time is over, so that its effect is known for as long as anybody can know it.
 */
import { ShortLivedMap } from '../../lib/short-lived-map.ts';
import type { Failure } from './channel.ts';
import type { Frame, RpcId } from './frame.ts';
import { isId, isRequest } from './frame.ts';

/** Long enough for a server that does not heed a cancel to answer, so that what it did becomes known. */
export const CANCEL_GRACE_MS = 60_000;

export class InFlight {
  readonly #lose: (id: RpcId, failure: Failure) => void;
  readonly #graceMs: number;
  readonly #requests = new ShortLivedMap<RpcId, Frame>();
  readonly #graces = new Map<RpcId, NodeJS.Timeout>();

  /** `lose` is called for a request that was cancelled and got no answer; it is settled by then. */
  constructor(lose: (id: RpcId, failure: Failure) => void, graceMs: number = CANCEL_GRACE_MS) {
    this.#lose = lose;
    this.#graceMs = graceMs;
  }

  /** A frame leaves for the server: a request is followed, a cancel starts the grace time of its request. */
  see(frame: Frame): void {
    const { id } = frame.message;
    if (isRequest(frame) && isId(id)) this.#requests.set(id, frame);
    else this.#cancel(toCancelled(frame));
  }

  has(id: RpcId): boolean {
    return this.#requests.has(id);
  }

  /** In flight, and not cancelled. */
  isWanted(id: RpcId): boolean {
    return this.#requests.has(id) && !this.#graces.has(id);
  }

  /** In flight, and its sender expects no answer any more. */
  isCancelled(id: RpcId): boolean {
    return this.#graces.has(id);
  }

  /** Gives the request that ends with this id, once; `undefined` for an id that is not in flight. */
  settle(id: RpcId): Frame | undefined {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    clearTimeout(this.#graces.get(id));
    this.#graces.delete(id);
    return request;
  }

  /** Settles all requests and gives their ids. */
  drain(): readonly RpcId[] {
    const ids = this.#requests.keys();
    for (const id of ids) this.settle(id);
    return ids;
  }

  #cancel(id: RpcId | undefined): void {
    if (id === undefined || !this.isWanted(id)) return;
    const expire = (): void => {
      this.settle(id);
      this.#lose(id, { kind: 'lost', detail: 'The request was cancelled and not answered' });
    };
    this.#graces.set(id, setTimeout(expire, this.#graceMs).unref());
  }
}

/** The request that a client no longer wants answered. */
export function toCancelled({ message }: Frame): RpcId | undefined {
  const id = message.params?.['requestId'];
  return message.method === 'notifications/cancelled' && isId(id) ? id : undefined;
}
