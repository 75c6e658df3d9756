/** One of the servers behind the aggregate: its channel, and what was asked of it under ids of its own. */
import type { JsonValue } from '../../../lib/json-value.ts';
import { ShortLivedMap } from '../../../lib/short-lived-map.ts';
import type { Channel, Failure, Listener } from '../../protocol/channel.ts';
import { editFrame, readdress } from '../../protocol/edit-frame.ts';
import { readMeta } from '../../protocol/envelope.ts';
import type { Frame, JsonObject, RpcId } from '../../protocol/frame.ts';
import { isId, toNotification, OwnIds } from '../../protocol/frame.ts';
import { isObject } from '../../protocol/read-frame.ts';
import { prefixTasks, stripTasks } from './names.ts';

/** Somebody who waits for an answer. */
interface Waiting {
  /** The request of the client that it is part of. */
  readonly clientId: RpcId;
  answered(frame: Frame): void;
  failed(failure: Failure): void;
}

/** A request that the server has. */
interface Sent {
  readonly waiting: Waiting;
  readonly method: string | undefined;
  readonly progressToken: JsonValue | undefined;
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
  readonly #sent = new ShortLivedMap<RpcId, Sent>();
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
        if (method === undefined) {
          const sent = this.#take(id);
          sent?.waiting.answered(prefixTasks(frame, this.name, sent.method));
        } else if (isId(id)) events.asked(this, prefixTasks(frame, this.name), id);
        else events.notified(this, prefixTasks(frame, this.name));
      },
      failed: (id, failure) => this.#take(id)?.waiting.failed(failure),
      // What is still in flight is settled by the channel: a gate sends a call again after a restart.
      renewed: () => {
        events.renewed(this);
        this.capabilities = undefined;
      },
      closed: () => {
        this.#isClosed = true;
        this.#failAll();
        events.closed(this);
      },
    });
  }

  can(capability: string): boolean {
    return this.capabilities === undefined || isObject(this.capabilities[capability]);
  }

  send(frame: Frame): void {
    if (!this.#isClosed) this.#channel.send(stripTasks(frame, this.name));
  }

  /** For those who must know the id before the request is sent. */
  toFreshId(): RpcId {
    this.#count += 1;
    return this.#count;
  }

  request(frame: Frame, waiting: Waiting, id: RpcId = this.toFreshId()): void {
    const { method, params } = frame.message;
    if (this.#isClosed || (this.isOut && method !== 'initialize')) {
      queueMicrotask(() => waiting.failed(this.#toFailure('not-sent')));
      return;
    }
    const { progressToken } = readMeta(params);
    this.#sent.set(id, { waiting, method, progressToken });
    this.send(editFrame(frame, [{ kind: 'set', path: ['id'], value: id }]));
  }

  /** Like `request`, but with a time limit: what comes after it goes to `late`. */
  async ask(
    frame: Frame,
    clientId: RpcId,
    timeoutMs?: number,
    late?: (frame: Frame) => void,
  ): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const id = this.toFreshId();
    const waiting: Waiting = {
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
    };
    this.request(frame, waiting, id);
    if (timeoutMs !== undefined) {
      timer = setTimeout(() => {
        isLate = true;
        const detail = `the server “${this.name}” did not answer in time`;
        resolve({ kind: 'failed', failure: { kind: 'lost', detail } });
        if (late !== undefined) return;
        const params = { requestId: id, reason: detail };
        this.send(toNotification('notifications/cancelled', params));
      }, timeoutMs);
      timer.unref();
    }
    return promise;
  }

  toClientId(id: RpcId | undefined): RpcId | undefined {
    return id === undefined ? undefined : this.#sent.get(id)?.waiting.clientId;
  }

  /** Whether the server was given this token, and may speak of its progress. */
  hasToken(token: JsonValue | undefined): boolean {
    return this.#sent.values().some(({ progressToken }) => progressToken === token);
  }

  /** Passes on a notification about a request, such as its cancel; an answer that still comes counts. */
  notifyAbout(frame: Frame, clientId: RpcId): void {
    for (const [id, { waiting, method }] of this.#sent.entries()) {
      // The protocol forbids to cancel the beginning of a session.
      if (waiting.clientId !== clientId || method === 'initialize') continue;
      const path = ['params', 'requestId'] as const;
      this.send(editFrame(frame, [{ kind: 'set', path, value: id }]));
    }
  }

  #take(id: unknown): Sent | undefined {
    if (!isId(id)) return undefined;
    const sent = this.#sent.get(id);
    this.#sent.delete(id);
    return sent;
  }

  #failAll(): void {
    for (const id of this.#sent.keys()) this.#take(id)?.waiting.failed(this.#toFailure('lost'));
  }

  #toFailure(kind: Failure['kind']): Failure {
    return { kind, detail: `the server “${this.name}” is not running` };
  }
}

interface Asked {
  readonly peer: Peer;
  /** The id that the server gave. */
  readonly id: RpcId;
}

/** Requests of servers to the client, under ids that no two servers share. */
export class ServerRequests {
  readonly #client: Pick<Listener, 'frame'>;
  readonly #ids = new OwnIds();
  readonly #open = new Map<RpcId, Asked>();

  constructor(client: Pick<Listener, 'frame'>) {
    this.#client = client;
  }

  ask(peer: Peer, frame: Frame, id: RpcId): void {
    const own = this.#ids.next();
    this.#open.set(own, { peer, id });
    this.#client.frame(readdress(frame, own, peer.toClientId(frame.about)));
  }

  answer(frame: Frame): void {
    const { id } = frame.message;
    const asked = isId(id) ? this.#open.get(id) : undefined;
    if (asked === undefined || !isId(id)) return;
    this.#open.delete(id);
    asked.peer.send(editFrame(frame, [{ kind: 'set', path: ['id'], value: asked.id }]));
  }

  /** The server no longer wants an answer. */
  withdraw(peer: Peer, id: JsonValue | undefined, frame: Frame): void {
    for (const [own, asked] of this.#open) {
      if (asked.peer !== peer || asked.id !== id) continue;
      this.#open.delete(own);
      const edit = { kind: 'set', path: ['params', 'requestId'], value: own } as const;
      this.#client.frame(editFrame(frame, [edit]));
    }
  }

  /** Nobody is left who wants the answers. */
  forget(peer: Peer): void {
    for (const [own, asked] of this.#open) {
      if (asked.peer !== peer) continue;
      this.#open.delete(own);
      const params = { requestId: own, reason: `the server “${peer.name}” has ended` };
      this.#client.frame(toNotification('notifications/cancelled', params));
    }
  }
}
