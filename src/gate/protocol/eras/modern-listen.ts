/**
 * The one `subscriptions/listen` at a 2026 server that stands for all a 2025 client expects to hear
 * unasked or has subscribed to. A change of what is wanted opens a new one before the old one ends.
 */
import type { Failure } from '../channel.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { isId, toNotification, toRequest, toResult } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { editFrame } from '../edit-frame.ts';
import { readMeta, META } from '../envelope.ts';
import type { Ends } from './open-either.ts';

const LISTS = ['tools', 'prompts', 'resources'] as const;
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

export class ModernListen {
  readonly #ends: Ends;
  readonly #lists: JsonObject;
  readonly #uris = new Set<string>();
  /** Streams that are not yet acknowledged, with the requests of the client that wait for it. */
  readonly #opening = new Map<RpcId, readonly RpcId[]>();
  /** The newest one that was acknowledged. */
  #current: RpcId | undefined;
  #isOpen = false;

  constructor(ends: Ends, capabilities: JsonObject) {
    this.#ends = ends;
    this.#lists = toFilter(capabilities);
  }

  open(envelope: JsonObject, waiting: readonly RpcId[] = []): void {
    this.#isOpen = true;
    const uris = [...this.#uris];
    const filter = { ...this.#lists, ...(uris.length > 0 && { resourceSubscriptions: uris }) };
    if (Object.keys(filter).length === 0) {
      this.#end(this.#current);
      this.#current = undefined;
      for (const id of waiting) this.#ends.client.frame(toResult(id, {}));
      return;
    }
    const id = this.#ends.ids.next();
    this.#opening.set(id, waiting);
    const params = { notifications: filter, _meta: envelope };
    this.#ends.server.send(toRequest(id, 'subscriptions/listen', params));
  }

  /** A stream that the client waits for was not promised to it yet, so it may try again. */
  renewed(envelope: JsonObject, failure: Failure): void {
    const ids = [...this.#opening.keys()];
    for (const id of ids) this.failed(id, failure);
    this.#current = undefined;
    // Later, because the channel may still be at work on the end of the server.
    queueMicrotask(() => {
      if (!this.#isOpen) return;
      if (this.#current === undefined && this.#opening.size === 0) this.open(envelope);
      // The new server may have other lists, and nobody has listened to it so far.
      for (const list of LISTS) {
        if (!Object.hasOwn(this.#lists, `${list}ListChanged`)) continue;
        this.#ends.client.frame(toNotification(`notifications/${list}/list_changed`));
      }
    });
  }

  close(): void {
    this.#isOpen = false;
  }

  subscribe(uri: string, envelope: JsonObject, waiting: RpcId): void {
    this.#uris.add(uri);
    this.open(envelope, [waiting]);
  }

  unsubscribe(uri: string, envelope: JsonObject, waiting: RpcId): void {
    this.#uris.delete(uri);
    this.open(envelope, [waiting]);
  }

  /** Whether the notification came by a stream of ours. */
  forward(frame: Frame): boolean {
    const { method, params } = frame.message;
    const meta = readMeta(params);
    const id = meta[META.subscription];
    if (!isId(id)) return false;
    if (method === ACKNOWLEDGED) this.#acknowledged(id);
    else if (id === this.#current) {
      const { about: _, ...rest } = frame;
      const path = ['params', '_meta', META.subscription] as const;
      this.#ends.client.frame(editFrame(rest, [{ kind: 'remove', path }]));
    }
    return true;
  }

  /** Whether the answer was for a stream of ours: its end, or its refusal. */
  answered(id: RpcId, frame: Frame): boolean {
    if (id === this.#current) {
      this.#current = undefined;
      return true;
    }
    const waiting = this.#opening.get(id);
    if (waiting === undefined) return false;
    this.#opening.delete(id);
    for (const request of waiting) {
      const value = { kind: 'set', path: ['id'], value: request } as const;
      this.#ends.client.frame({ ...editFrame(frame, [value]), about: request });
    }
    return true;
  }

  failed(id: RpcId, failure: Failure): boolean {
    if (id === this.#current) this.#current = undefined;
    const waiting = this.#opening.get(id);
    this.#opening.delete(id);
    for (const request of waiting ?? []) this.#ends.client.failed(request, failure);
    return waiting !== undefined;
  }

  #acknowledged(id: RpcId): void {
    const waiting = this.#opening.get(id);
    if (waiting === undefined) return;
    // Those that were asked for before it are for less or for more than is wanted now.
    for (const [older, waiters] of this.#opening) {
      if (older === id) break;
      this.#opening.delete(older);
      this.#end(older);
      for (const request of waiters) this.#ends.client.frame(toResult(request, {}));
    }
    this.#opening.delete(id);
    this.#end(this.#current);
    this.#current = id;
    for (const request of waiting) this.#ends.client.frame(toResult(request, {}));
  }

  #end(id: RpcId | undefined): void {
    if (id === undefined) return;
    this.#ends.server.send(toNotification('notifications/cancelled', { requestId: id }));
  }
}

function toFilter(capabilities: JsonObject): JsonObject {
  const lists = LISTS.filter((name) => {
    const capability = capabilities[name];
    return isObject(capability) && capability['listChanged'] === true;
  });
  return Object.fromEntries(lists.map((name) => [`${name}ListChanged`, true]));
}
