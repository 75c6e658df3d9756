/**
 * Finds the era of a server for a client of 2026: asks it to tell about itself, and begins a session
 * of 2025 if it does not. Once a session is asked for, its answer counts: a server that speaks both
 * eras may have taken it.
 */
import type { Failure } from '../channel.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { isRequest } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { readEnvelope } from './envelope.ts';
import { toError, toNotification, toRequest, toResult } from './messages.ts';
import { CODES, LEGACY_VERSIONS } from './protocol.ts';
import type { Settled, Settling } from './settled.ts';
import { readDiscovered, readError, toProbe } from './settled.ts';
import type { Ends } from './translator.ts';

export interface SettleOptions {
  readonly clientInfo: JsonObject;
  readonly timeoutMs: number;
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
    this.#timer = setTimeout(() => this.#begin(), this.#options.timeoutMs);
    this.#send(toProbe(this.#probeId, this.#options.clientInfo));
  }

  fromServer(frame: Frame): void {
    const { id, method } = frame.message;
    if (isRequest(frame)) this.#answer(frame);
    else if (method !== undefined) return;
    else if (id === this.#probeId) this.#probed(readDiscovered(frame) !== undefined);
    else if (id === this.#helloId) this.#greeted(frame);
  }

  failed(id: RpcId, failure: Failure): void {
    if (id === this.#probeId) this.#probed(false);
    else if (id === this.#helloId) this.#refused({ kind: 'unreachable', failure });
  }

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

  #answer({ message: { id, method } }: Frame): void {
    if (id === undefined || id === null) return;
    const unknown = toError(id, CODES.methodNotFound, `${method} is not served here`);
    this.#send(method === 'ping' ? toResult(id, {}) : unknown);
  }

  #send(frame: Frame): void {
    const { caller } = this.#first;
    this.#server.send(caller === undefined ? frame : { ...frame, caller });
  }
}
