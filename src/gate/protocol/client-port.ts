/**
 * The client's end of a channel that wraps others, which holds it to the channel contract: every request
 * is settled exactly once, an answer to anything else is dropped, a cancelled request is lost after its
 * grace time, and nothing is said before `send` returns.
 */
import type { Failure, Listener } from './channel.ts';
import { CODES } from './envelope.ts';
import type { Frame, RpcId } from './frame.ts';
import { isId, isRequest, toErrorFrame } from './frame.ts';
import { InFlight } from './in-flight.ts';
import { ID_IN_USE } from './read-messages.ts';

interface ClientPortOptions {
  /** How long a server may still answer a request that was cancelled. */
  readonly graceMs?: number | undefined;
  /** Told of answers that nobody waits for. */
  readonly report?: ((message: string) => void) | undefined;
  /** Told of a request under an id that is in use; its sender gets an error, and the earlier one goes on. */
  readonly inUse?: (request: Frame) => void;
}

const ENDED: Failure = Object.freeze({
  kind: 'lost',
  detail: 'the connection to the server ended before it answered',
});

export class ClientPort implements Listener {
  readonly #client: Listener;
  readonly #report: ClientPortOptions['report'];
  readonly #inUse: ClientPortOptions['inUse'];
  readonly #inFlight: InFlight;
  readonly #queue: (() => void)[] = [];
  #isSending = false;
  #isClosed = false;

  constructor(client: Listener, { graceMs, report, inUse }: ClientPortOptions = {}) {
    this.#client = client;
    this.#report = report;
    this.#inUse = inUse;
    this.#inFlight = new InFlight(
      (id, failure) => this.#say(() => client.failed(id, failure)),
      graceMs,
    );
  }

  /** Takes what the client sends; whatever `pass` says to the client waits until it has returned. */
  send(frame: Frame, pass: (frame: Frame) => void): void {
    const { id } = frame.message;
    if (this.#isClosed) return;
    if (isRequest(frame) && isId(id) && this.#inFlight.has(id)) {
      this.#refuse(frame, id);
      return;
    }
    this.#inFlight.see(frame);
    const outer = this.#isSending;
    this.#isSending = true;
    try {
      pass(frame);
    } finally {
      this.#isSending = outer;
    }
  }

  #refuse(request: Frame, id: RpcId): void {
    this.#report?.('a request under an id that is in use was dropped');
    if (this.#inUse === undefined) return;
    this.#inUse(request);
    const refusal = toErrorFrame(id, CODES.invalidParams, ID_IN_USE);
    queueMicrotask(() => this.#say(() => this.#client.frame(refusal)));
  }

  /** In flight, and not cancelled. */
  isWanted(id: RpcId): boolean {
    return this.#inFlight.isWanted(id);
  }

  frame(frame: Frame): void {
    const { id, method } = frame.message;
    if (this.#isClosed) return;
    const isSettling = method === undefined && isId(id) && this.#inFlight.settle(id) !== undefined;
    if (method !== undefined || isSettling) this.#say(() => this.#client.frame(frame));
    else this.#report?.('an answer to a request that is not in flight was dropped');
  }

  failed(id: RpcId, failure: Failure): void {
    if (this.#inFlight.settle(id) !== undefined) this.#say(() => this.#client.failed(id, failure));
  }

  failAll(failure: Failure): void {
    for (const id of this.#inFlight.drain()) this.#say(() => this.#client.failed(id, failure));
  }

  renewed(): void {
    if (!this.#isClosed) this.#say(() => this.#client.renewed());
  }

  closed(): void {
    if (this.#isClosed) return;
    this.failAll(ENDED);
    this.#isClosed = true;
    // Also what the client sent when it heard of a failure.
    this.failAll(ENDED);
    this.#say(() => this.#client.closed());
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
    try {
      for (let say = this.#queue[0]; say !== undefined; say = this.#queue[0]) {
        say();
        // Taken out only when said, so that what comes meanwhile waits behind it.
        this.#queue.shift();
      }
    } catch (error) {
      this.#queue.shift();
      if (this.#queue.length > 0) queueMicrotask(() => this.#flush());
      throw error;
    }
  }
}
