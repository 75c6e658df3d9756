/**
 * Any server for clients of either era. The client's first message says its era, the server is asked
 * for its own, and where they differ a translator stands between. Where they agree, frames pass as
 * they are.
 */
import type { Channel, Failure, Listener } from '../channel.ts';
import { ClientPort } from '../client-port.ts';
import { eraOf } from '../envelope.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { isId, isRequest, toFrame, OwnIds } from '../frame.ts';
import { toCancelled } from '../in-flight.ts';
import { LegacyToModern } from './legacy-to-modern.ts';
import { ModernToLegacy } from './modern-to-legacy.ts';
import type { Settled, Settling } from './settle.ts';
import { SettleLegacy, SettleModern } from './settle.ts';

interface EitherOptions {
  /** How a server is told who asks, when no client has said so. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** How long a server may take to tell its era. */
  readonly timeoutMs?: number;
  /** How long a server may still answer a request that was cancelled. */
  readonly graceMs?: number;
  /** Told the era of the server once it is known. */
  readonly onEra?: (era: 'modern' | 'legacy') => void;
  /** Told what was dropped. */
  readonly report?: (message: string) => void;
}

const DEFAULT_TIMEOUT_MS = 5000;

const NOT_SENT: Failure = Object.freeze({
  kind: 'not-sent',
  detail: 'the request was cancelled before it was sent',
});
const RENEWED: Failure = Object.freeze({
  kind: 'lost',
  detail: 'the server ended before it answered',
});

/** One instance serves clients of one era. */
export function openEither(inner: Channel, options: EitherOptions): Channel {
  return new Either(inner, options);
}

class Either implements Channel {
  readonly #inner: Channel;
  readonly #options: EitherOptions;
  readonly #clientInfo: JsonObject;
  readonly #ids = new OwnIds();
  #port: ClientPort | undefined;
  #settling: Settling | undefined;
  /** What the client sent while the era of the server was being found. */
  #held: Frame[] = [];
  #translator: Translator | undefined;
  /** The server is a new one, with which the session of the translator has to begin again. */
  #isStale = false;
  #isSame = false;

  constructor(inner: Channel, options: EitherOptions) {
    this.#inner = inner;
    this.#options = options;
    this.#clientInfo = { ...options.clientInfo };
  }

  listen(client: Listener): void {
    const { graceMs, report } = this.#options;
    const port = new ClientPort(client, { graceMs, report });
    this.#port = port;
    // The port drops answers to ids of our own that nobody waits for, such as those of a late probe.
    this.#inner.listen({
      frame: (frame) => (this.#between ?? port).frame(frame),
      failed: (id, failure) => (this.#between ?? port).failed(id, failure),
      renewed: () => this.#renewed(port),
      closed: () => {
        this.#forget();
        port.closed();
      },
    });
  }

  send(frame: Frame): void {
    this.#port?.send(frame, (sent) => this.#pass(sent));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forget();
    await this.#inner[Symbol.asyncDispose]();
    this.#port?.closed();
    // What the port could not say during a `send` is said by now.
    await Promise.resolve();
  }

  get #between(): Settling | Translator | undefined {
    return this.#settling ?? this.#translator;
  }

  #pass(frame: Frame): void {
    if (this.#settling !== undefined) this.#hold(frame);
    else if (this.#isSame) this.#inner.send(frame);
    else if (this.#translator === undefined || (this.#isStale && isRequest(frame))) {
      this.#open(frame);
    } else this.#translator.fromClient(frame);
  }

  /** A server may ask before it has answered, and would wait for ever if the answer were held. */
  #hold(frame: Frame): void {
    const cancelled = toCancelled(frame);
    const held = this.#held.findIndex(({ message }) => message.id === cancelled);
    if (frame.message.method === undefined) this.#inner.send(frame);
    else if (cancelled !== undefined && held !== -1) {
      this.#held.splice(held, 1);
      this.#port?.failed(cancelled, NOT_SENT);
    } else if (cancelled === undefined) this.#held.push(frame);
    else this.#settling?.cancel(frame, cancelled);
  }

  #open(first: Frame): void {
    const ends = this.#toEnds();
    const options = {
      clientInfo: this.#clientInfo,
      timeoutMs: this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      isLegacy: this.#isStale,
      done: (settled: Settled) => this.#settled(first, settled),
    };
    if (ends === undefined || !isRequest(first)) this.#inner.send(first);
    else if (eraOf(first.message) === 'modern') {
      this.#held.push(first);
      this.#settling = new SettleModern(ends, first, options);
    } else if (first.message.method === 'initialize') {
      this.#settling = new SettleLegacy(ends, first, options);
    } else this.#inner.send(first);
    this.#settling?.start();
  }

  #settled(first: Frame, settled: Settled): void {
    this.#settling = undefined;
    const ends = this.#toEnds();
    if (ends === undefined) return;
    if (settled.kind === 'same') {
      this.#isSame = true;
      this.#options.onEra?.(eraOf(first.message));
    } else if (settled.kind === 'modern-to-legacy') {
      this.#options.onEra?.('legacy');
      this.#isStale = false;
      if (this.#translator instanceof ModernToLegacy) this.#translator.begin(settled.hello);
      else this.#translator = new ModernToLegacy(ends, settled.hello);
    } else if (settled.kind === 'legacy-to-modern') {
      this.#options.onEra?.('modern');
      this.#translator = new LegacyToModern(ends, settled.discovered);
      this.#translator.fromClient(first);
    } else {
      this.#refuse(first, settled);
      return;
    }
    for (const frame of this.#held.splice(0)) this.#pass(frame);
  }

  /** The next message tries anew: the server may only have been slow to start. */
  #refuse(first: Frame, settled: Extract<Settled, { kind: 'refused' | 'unreachable' }>): void {
    if (settled.kind === 'refused') {
      // Whatever the server was before, it is something else now.
      this.#translator?.close();
      this.#translator = undefined;
      this.#isStale = false;
    }
    for (const { message } of new Set([first, ...this.#held.splice(0)])) {
      const { id, method } = message;
      if (method === undefined || !isId(id)) continue;
      if (settled.kind === 'unreachable') this.#port?.failed(id, settled.failure);
      else this.#port?.frame(toFrame({ jsonrpc: '2.0', id, error: settled.error }, id));
    }
  }

  /** What a translator knows of the server no longer holds; where eras agree, all is the client's. */
  #renewed(port: ClientPort): void {
    if (this.#isSame) port.failAll(RENEWED);
    this.#translator?.renewed(RENEWED);
    this.#isStale = this.#translator instanceof ModernToLegacy;
    port.renewed();
  }

  #toEnds(): Ends | undefined {
    return this.#port && { server: this.#inner, client: this.#port, ids: this.#ids };
  }

  #forget(): void {
    this.#settling?.close();
    this.#translator?.close();
    this.#settling = undefined;
    this.#held = [];
  }
}

/** A translator stands between a client of one era and a server of the other, message by message. */
export interface Translator {
  fromClient(frame: Frame): void;
  /** From the server. */
  frame(frame: Frame): void;
  failed(id: RpcId, failure: Failure): void;
  /** The server is a new one: whatever is still in flight gets no answer, for this reason. */
  renewed(reason: Failure): void;
  /** Forgets everything; nothing more comes from either end. */
  close(): void;
}

/** The two ends that a translator speaks to. */
export interface Ends {
  readonly server: { send(frame: Frame): void };
  readonly client: Pick<Listener, 'frame' | 'failed'>;
  readonly ids: OwnIds;
}
