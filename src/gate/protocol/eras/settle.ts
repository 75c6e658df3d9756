/** What came out of trying to find a server's era, and what both ways of finding it have in common. */
import type { Failure, Listener } from '../channel.ts';
import { CODES, LEGACY_VERSIONS, META, MODERN_VERSION, readEnvelope } from '../envelope.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { isId, toError, toNotification, toRequest, toResult } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import type { Ends } from './open-either.ts';

export type Settled =
  /** Client and server are of one era. */
  | { readonly kind: 'same' }
  | { readonly kind: 'modern-to-legacy'; readonly hello: JsonObject }
  | { readonly kind: 'legacy-to-modern'; readonly discovered: JsonObject }
  /** The server speaks neither. */
  | { readonly kind: 'refused'; readonly error: JsonObject }
  | { readonly kind: 'unreachable'; readonly failure: Failure };

/** Takes what the server sends until its era is known. */
export interface Settling {
  /** Apart from making it, since an answer may come before `start` returns. */
  start(): void;
  frame(frame: Frame): void;
  failed(id: RpcId, failure: Failure): void;
  /** The client cancels a request that is part of it. */
  cancel(frame: Frame, id: RpcId): void;
  close(): void;
}

function toProbe(id: RpcId, clientInfo: JsonObject): Frame {
  const envelope = {
    [META.version]: MODERN_VERSION,
    [META.capabilities]: {},
    [META.client]: clientInfo,
  };
  return toRequest(id, 'server/discover', { _meta: envelope });
}

/** The answer to a probe, if it is one of a server of 2026. */
function readDiscovered({ message }: Frame): JsonObject | undefined {
  const { result } = message;
  if (!isObject(result) || !Array.isArray(result['supportedVersions'])) return undefined;
  return result['supportedVersions'].includes(MODERN_VERSION) ? result : undefined;
}

function readError({ message }: Frame): JsonObject {
  const none = { code: CODES.internal, message: 'the server gave no usable answer' };
  return isObject(message.error) ? message.error : none;
}

/** A server may ping, or ask too early, before it has answered. */
function toEarlyAnswer(id: RpcId, method: string | undefined): Frame {
  const unknown = toError(id, CODES.methodNotFound, `${method} is not served here`);
  return method === 'ping' ? toResult(id, {}) : unknown;
}

/**
 * Finds the era of a server for a client of 2026: asks it to tell about itself, and begins a session
 * of 2025 if it does not. Once a session is asked for, its answer counts: a server that speaks both
 * eras may have taken it.
 */
interface SettleOptions {
  readonly clientInfo: JsonObject;
  readonly timeoutMs: number;
  /** The server is known to be of 2025, so that its session is begun at once. */
  readonly isLegacy: boolean;
  readonly done: (settled: Settled) => void;
}

/** A later client may be able to do what the first one is not, so the server may ask for all of it. */
const ALL_CAPABILITIES: JsonObject = Object.freeze({
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
});

export class SettleModern implements Settling {
  readonly #server: Ends['server'];
  readonly #first: Frame;
  readonly #options: SettleOptions;
  readonly #probeId: RpcId;
  readonly #helloId: RpcId;
  #timer: NodeJS.Timeout | undefined;
  #probe: 'waiting' | 'modern' | 'not-modern' = 'waiting';
  #session: 'none' | 'waiting' | 'refused' = 'none';
  #refusal: Settled = { kind: 'refused', error: {} };

  /** `first` is the client's first request; the server is told of that client. */
  constructor({ server, ids }: Ends, first: Frame, options: SettleOptions) {
    this.#server = server;
    this.#first = first;
    this.#options = options;
    this.#probeId = ids.next();
    this.#helloId = ids.next();
  }

  start(): void {
    if (this.#options.isLegacy) {
      this.#probed(false);
      return;
    }
    this.#timer = setTimeout(() => this.#begin(), this.#options.timeoutMs);
    this.#send(toProbe(this.#probeId, this.#options.clientInfo));
  }

  frame(frame: Frame): void {
    const { id, method } = frame.message;
    if (method !== undefined) {
      if (isId(id)) this.#send(toEarlyAnswer(id, method));
    } else if (id === this.#probeId) this.#probed(readDiscovered(frame) !== undefined);
    else if (id === this.#helloId) this.#greeted(frame);
  }

  failed(id: RpcId, failure: Failure): void {
    if (id === this.#probeId) this.#probed(false);
    else if (id === this.#helloId) this.#refused({ kind: 'unreachable', failure });
  }

  /** What the client sent is held elsewhere. */
  cancel(): void {}

  close(): void {
    clearTimeout(this.#timer);
  }

  #probed(isModern: boolean): void {
    this.#probe = isModern ? 'modern' : 'not-modern';
    if (isModern && this.#session !== 'waiting') this.#end({ kind: 'same' });
    else if (!isModern && this.#session === 'none') this.#begin();
    else if (!isModern && this.#session === 'refused') this.#end(this.#refusal);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#session = 'waiting';
    const clientInfo = readEnvelope(this.#first.message).clientInfo ?? this.#options.clientInfo;
    const [protocolVersion] = LEGACY_VERSIONS;
    const params = { protocolVersion, capabilities: ALL_CAPABILITIES, clientInfo };
    this.#send(toRequest(this.#helloId, 'initialize', params));
  }

  #greeted(frame: Frame): void {
    const { result } = frame.message;
    if (!isObject(result)) {
      this.#refused({ kind: 'refused', error: readError(frame) });
      return;
    }
    this.#send(toNotification('notifications/initialized'));
    this.#end({ kind: 'modern-to-legacy', hello: result });
  }

  #refused(refusal: Settled): void {
    this.#session = 'refused';
    this.#refusal = refusal;
    if (this.#probe === 'modern') this.#end({ kind: 'same' });
    // A server that cannot be reached will not answer the probe either.
    else if (this.#probe === 'not-modern' || refusal.kind === 'unreachable') this.#end(refusal);
  }

  #end(settled: Settled): void {
    this.close();
    this.#options.done(settled);
  }

  #send(frame: Frame): void {
    const { caller } = this.#first;
    this.#server.send(caller === undefined ? frame : { ...frame, caller });
  }
}

/**
 * Finds the era of a server for a client of 2025: hands on the client's own `initialize`, and asks the
 * server to tell about itself if it refuses that.
 */
export class SettleLegacy implements Settling {
  readonly #server: Ends['server'];
  readonly #client: Pick<Listener, 'frame'>;
  readonly #initialize: Frame;
  readonly #options: SettleOptions;
  readonly #probeId: RpcId;
  #timer: NodeJS.Timeout | undefined;
  #refusal: Settled | undefined;

  constructor({ server, client, ids }: Ends, initialize: Frame, options: SettleOptions) {
    this.#server = server;
    this.#client = client;
    this.#initialize = initialize;
    this.#options = options;
    this.#probeId = ids.next();
  }

  start(): void {
    this.#server.send(this.#initialize);
  }

  frame(frame: Frame): void {
    const { id, method, result } = frame.message;
    if (method === 'ping' && isId(id)) this.#send(toEarlyAnswer(id, method));
    else if (method !== undefined) this.#client.frame(frame);
    else if (id === this.#initialize.message.id && this.#refusal === undefined) {
      if (isObject(result)) {
        this.#client.frame(frame);
        this.#end({ kind: 'same' });
      } else this.#ask({ kind: 'refused', error: readError(frame) });
    } else if (id === this.#probeId) this.#probed(frame);
  }

  failed(id: RpcId, failure: Failure): void {
    if (id === this.#initialize.message.id) {
      // A server that ends at its start would only do so again.
      if (failure.ended === true) this.#end({ kind: 'unreachable', failure });
      else this.#ask({ kind: 'unreachable', failure });
    } else if (id === this.#probeId && this.#refusal) this.#end(this.#refusal);
  }

  cancel(frame: Frame, id: RpcId): void {
    if (id === this.#initialize.message.id) this.#server.send(frame);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #ask(refusal: Settled): void {
    this.#refusal = refusal;
    this.#timer = setTimeout(() => this.#end(refusal), this.#options.timeoutMs);
    this.#send(toProbe(this.#probeId, this.#options.clientInfo));
  }

  #probed(frame: Frame): void {
    const discovered = readDiscovered(frame);
    if (discovered !== undefined) this.#end({ kind: 'legacy-to-modern', discovered });
    else if (this.#refusal) this.#end(this.#refusal);
  }

  #end(settled: Settled): void {
    this.close();
    this.#options.done(settled);
  }

  #send(frame: Frame): void {
    const { caller } = this.#initialize;
    this.#server.send(caller === undefined ? frame : { ...frame, caller });
  }
}
