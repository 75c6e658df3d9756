/**
 * Any server for clients of either era. The client's first message says its era, the server is asked
 * for its own, and where they differ a translator stands between. Where they agree, frames pass as
 * they are.
 */
import type { Channel, Failure, Listener } from '../channel.ts';
import { eraOf } from '../envelope.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { isId, isRequest } from '../frame.ts';
import { OwnIds } from '../own-ids.ts';
import { LegacyToModern } from './legacy-to-modern.ts';
import { ModernToLegacy } from './modern-to-legacy.ts';
import type { Settled, Settling } from './settle.ts';
import { SettleLegacy, SettleModern, toRefusal } from './settle.ts';

interface EitherOptions {
  /** How a server is told who asks, when no client has said so. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** How long a server may take to tell its era. */
  readonly timeoutMs?: number;
  /** Told the era of the server once it is known. */
  readonly onEra?: (era: 'modern' | 'legacy') => void;
}

const DEFAULT_TIMEOUT_MS = 5000;

/** One instance serves clients of one era. */
export function openEither(inner: Channel, options: EitherOptions): Channel {
  return new Either(inner, options);
}

class Either implements Channel {
  readonly #inner: Channel;
  readonly #clientInfo: JsonObject;
  readonly #timeoutMs: number;
  readonly #onEra: EitherOptions['onEra'];
  readonly #ids = new OwnIds();
  #client: Listener | undefined;
  #settling: Settling | undefined;
  /** What the client sent while the era of the server was being found. */
  #held: Frame[] = [];
  #translator: Translator | undefined;
  #isSame = false;

  constructor(inner: Channel, options: EitherOptions) {
    const { clientInfo, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    this.#inner = inner;
    this.#clientInfo = { ...clientInfo };
    this.#timeoutMs = timeoutMs;
    this.#onEra = options.onEra;
  }

  listen(client: Listener): void {
    this.#client = client;
    this.#inner.listen({
      frame: (frame) => {
        const between = this.#translator ?? this.#settling;
        if (between !== undefined) between.fromServer(frame);
        // A probe that was given up may still be answered.
        else if (this.#isSame || !this.#ids.has(frame.message.id)) client.frame(frame);
      },
      failed: (id, failure) => {
        const between = this.#translator ?? this.#settling;
        if (between !== undefined) between.failed(id, failure);
        else if (!this.#ids.has(id)) client.failed(id, failure);
      },
      renewed: () => client.renewed(),
      closed: () => {
        this.#forget();
        client.closed();
      },
    });
  }

  send(frame: Frame): void {
    if (this.#isSame) this.#inner.send(frame);
    else if (this.#translator !== undefined) this.#translator.fromClient(frame);
    else if (this.#settling !== undefined) this.#held.push(frame);
    else this.#open(frame);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forget();
    await this.#inner[Symbol.asyncDispose]();
  }

  #open(first: Frame): void {
    const ends = this.#toEnds();
    const options = {
      clientInfo: this.#clientInfo,
      timeoutMs: this.#timeoutMs,
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
      this.#onEra?.(eraOf(first.message));
    } else if (settled.kind === 'modern-to-legacy') {
      this.#onEra?.('legacy');
      this.#translator = new ModernToLegacy(ends, settled.hello);
    } else if (settled.kind === 'legacy-to-modern') {
      this.#onEra?.('modern');
      this.#translator = new LegacyToModern(ends, settled.discovered);
      this.#translator.fromClient(first);
    } else {
      this.#refuse(first, settled);
      return;
    }
    for (const frame of this.#held.splice(0)) this.send(frame);
  }

  /** The next message tries anew: the server may only have been slow to start. */
  #refuse(first: Frame, settled: Settled): void {
    for (const frame of new Set([first, ...this.#held.splice(0)])) {
      const { id } = frame.message;
      if (!isRequest(frame) || !isId(id)) continue;
      if (settled.kind === 'unreachable') this.#client?.failed(id, settled.failure);
      else this.#client?.frame(toRefusal(id, settled));
    }
  }

  #toEnds(): Ends | undefined {
    return this.#client && { server: this.#inner, client: this.#client, ids: this.#ids };
  }

  #forget(): void {
    this.#settling?.close();
    this.#translator?.close();
    this.#held = [];
  }
}

/** A translator stands between a client of one era and a server of the other, message by message. */
export interface Translator {
  fromClient(frame: Frame): void;
  fromServer(frame: Frame): void;
  failed(id: RpcId, failure: Failure): void;
  /** Forgets everything; nothing more comes from either end. */
  close(): void;
}

/** The two ends that a translator speaks to. */
export interface Ends {
  readonly server: { send(frame: Frame): void };
  readonly client: Pick<Listener, 'frame' | 'failed'>;
  readonly ids: OwnIds;
}
