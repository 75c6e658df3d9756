/**
 * The client's end of a channel, which holds the channel to its contract: every request is settled
 * exactly once, an answer to anything else is dropped, a cancelled request is lost after its grace time,
 * and nothing is said before `send` returns.
 */
import type { Failure, Listener } from './channel.ts';
import type { Frame, RpcId } from './frame.ts';
import { isId, isRequest } from './frame.ts';

/** How long a server may still answer a request that was cancelled. */
const CANCEL_GRACE_MS = 10_000;

interface ClientPortOptions {
  readonly graceMs?: number | undefined;
  /** Told of answers that nobody waits for. */
  readonly report?: ((message: string) => void) | undefined;
}

const CANCELLED: Failure = Object.freeze({
  kind: 'lost',
  detail: 'the request was cancelled and the server did not answer it',
});
const ENDED: Failure = Object.freeze({
  kind: 'lost',
  detail: 'the connection to the server ended before it answered',
});

export class ClientPort implements Listener {
  readonly #client: Listener;
  readonly #graceMs: number;
  readonly #report: ClientPortOptions['report'];
  /** Requests in flight, with the grace time of those that were cancelled. */
  readonly #open = new Map<RpcId, NodeJS.Timeout | undefined>();
  readonly #queue: (() => void)[] = [];
  #isSending = false;
  #isClosed = false;

  constructor(client: Listener, { graceMs = CANCEL_GRACE_MS, report }: ClientPortOptions = {}) {
    this.#client = client;
    this.#graceMs = graceMs;
    this.#report = report;
  }

  /** Takes what the client sends; whatever `pass` says to the client waits until it has returned. */
  send(frame: Frame, pass: (frame: Frame) => void): void {
    const { id } = frame.message;
    if (this.#isClosed) return;
    if (isRequest(frame) && isId(id)) {
      if (this.#open.has(id)) {
        this.#report?.('a request under an id that is in use was dropped');
        return;
      }
      this.#open.set(id, undefined);
    }
    const outer = this.#isSending;
    this.#isSending = true;
    try {
      pass(frame);
    } finally {
      this.#isSending = outer;
    }
    const cancelled = toCancelled(frame);
    if (cancelled !== undefined) this.#wait(cancelled);
  }

  /** In flight, and not cancelled. */
  isWanted(id: RpcId): boolean {
    return this.#open.has(id) && this.#open.get(id) === undefined;
  }

  frame(frame: Frame): void {
    const { id, method } = frame.message;
    if (this.#isClosed) return;
    if (method !== undefined) this.#say(() => this.#client.frame(frame));
    else if (isId(id) && this.#settle(id)) this.#say(() => this.#client.frame(frame));
    else this.#report?.('an answer to a request that is not in flight was dropped');
  }

  failed(id: RpcId, failure: Failure): void {
    if (this.#settle(id)) this.#say(() => this.#client.failed(id, failure));
  }

  failAll(failure: Failure): void {
    // Not those that the client sends when it hears of the first failure.
    const ids = [...this.#open.keys()];
    for (const id of ids) this.failed(id, failure);
  }

  renewed(): void {
    if (!this.#isClosed) this.#say(() => this.#client.renewed());
  }

  closed(): void {
    if (this.#isClosed) return;
    this.failAll(ENDED);
    this.#isClosed = true;
    this.#say(() => this.#client.closed());
  }

  #wait(id: RpcId): void {
    if (!this.isWanted(id)) return;
    const timer = setTimeout(() => this.failed(id, CANCELLED), this.#graceMs);
    this.#open.set(id, timer);
  }

  #settle(id: RpcId): boolean {
    if (!this.#open.has(id)) return false;
    clearTimeout(this.#open.get(id));
    this.#open.delete(id);
    return true;
  }

  /** In order: what comes after something that waits has to wait too. */
  #say(say: () => void): void {
    if (!this.#isSending && this.#queue.length === 0) {
      say();
      return;
    }
    this.#queue.push(say);
    if (this.#queue.length === 1) queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    for (let say = this.#queue[0]; say !== undefined; say = this.#queue[0]) {
      say();
      this.#queue.shift();
    }
  }
}

/** The request that a client no longer wants answered. */
export function toCancelled({ message }: Frame): RpcId | undefined {
  const id = message.params?.['requestId'];
  return message.method === 'notifications/cancelled' && isId(id) ? id : undefined;
}
