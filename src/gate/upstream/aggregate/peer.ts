/** One of the servers behind the aggregate: its channel, and what was asked of it under ids of its own. */
import type { Channel, Failure } from '../../protocol/channel.ts';
import { editFrame } from '../../protocol/edit-frame.ts';
import type { Frame, JsonObject, RpcId } from '../../protocol/frame.ts';
import { isId } from '../../protocol/frame.ts';
import { isObject } from '../../protocol/read-frame.ts';

/** Somebody who waits for an answer. */
interface Waiting {
  /** The request of the client that it is part of. */
  readonly clientId: RpcId;
  answered(frame: Frame): void;
  failed(failure: Failure): void;
  /** The client waits no longer. */
  cancelled?(): void;
}

export type Answer =
  | { readonly kind: 'answered'; readonly frame: Frame }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface PeerEvents {
  asked(peer: Peer, frame: Frame, id: RpcId): void;
  notified(peer: Peer, frame: Frame): void;
  renewed(peer: Peer): void;
  closed(peer: Peer): void;
}

export class Peer {
  readonly name: string;
  /** What the server said of itself, once it has. */
  capabilities: JsonObject | undefined;
  /** Its session has not begun, so that it cannot be asked anything. */
  isOut = false;
  readonly #channel: Channel;
  readonly #waiting = new Map<RpcId, Waiting>();
  #count = 0;
  #isClosed = false;

  constructor(name: string, channel: Channel) {
    this.name = name;
    this.#channel = channel;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  listen(events: PeerEvents): void {
    this.#channel.listen({
      frame: (frame) => {
        const { id, method } = frame.message;
        if (method === undefined) this.#take(id)?.answered(frame);
        else if (isId(id)) events.asked(this, frame, id);
        else events.notified(this, frame);
      },
      failed: (id, failure) => this.#take(id)?.failed(failure),
      renewed: () => events.renewed(this),
      closed: () => {
        this.#isClosed = true;
        for (const waiting of this.#waiting.values()) waiting.failed(this.#toFailure('lost'));
        this.#waiting.clear();
        events.closed(this);
      },
    });
  }

  can(capability: string): boolean {
    return this.capabilities === undefined || isObject(this.capabilities[capability]);
  }

  send(frame: Frame): void {
    if (!this.#isClosed) this.#channel.send(frame);
  }

  /** For those who must know the id before the answer, which may come before `request` returns. */
  toFreshId(): RpcId {
    this.#count += 1;
    return this.#count;
  }

  request(frame: Frame, waiting: Waiting, id: RpcId = this.toFreshId()): void {
    if (this.#isClosed || (this.isOut && frame.message.method !== 'initialize')) {
      queueMicrotask(() => waiting.failed(this.#toFailure('not-sent')));
      return;
    }
    this.#waiting.set(id, waiting);
    this.#channel.send(editFrame(frame, [{ kind: 'set', path: ['id'], value: id }]));
  }

  /** Like `request`, but with an end: what comes after it goes to `late`. */
  async ask(
    frame: Frame,
    clientId: RpcId,
    timeoutMs?: number,
    late?: (frame: Frame) => void,
  ): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    this.request(frame, {
      clientId,
      answered: (answer) => {
        clearTimeout(timer);
        if (isLate) late?.(answer);
        else resolve({ kind: 'answered', frame: answer });
      },
      failed: (failure) => {
        clearTimeout(timer);
        resolve({ kind: 'failed', failure });
      },
      cancelled: () => clearTimeout(timer),
    });
    if (timeoutMs !== undefined) {
      timer = setTimeout(() => {
        isLate = true;
        const detail = `the server “${this.name}” did not answer in time`;
        resolve({ kind: 'failed', failure: { kind: 'lost', detail } });
      }, timeoutMs);
      timer.unref();
    }
    return promise;
  }

  toClientId(id: RpcId | undefined): RpcId | undefined {
    return id === undefined ? undefined : this.#waiting.get(id)?.clientId;
  }

  /** Hands on that the client no longer waits; the answers are then not waited for either. */
  cancel(frame: Frame, clientId: RpcId): void {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.clientId !== clientId) continue;
      this.#waiting.delete(id);
      waiting.cancelled?.();
      const path = ['params', 'requestId'] as const;
      this.send(editFrame(frame, [{ kind: 'set', path, value: id }]));
    }
  }

  #take(id: unknown): Waiting | undefined {
    if (!isId(id)) return undefined;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #toFailure(kind: Failure['kind']): Failure {
    return { kind, detail: `the server “${this.name}” is not running` };
  }
}
