/**
 * The calls that run at a server of 2025, and the handles under which those with an open question are
 * kept. A handle is random, good for one use by the same caller for the same call, and expires.
 */
import { randomBytes } from 'node:crypto';
import type { Frame, RpcId } from '../frame.ts';
import { readEnvelope } from './envelope.ts';
import type { LegacyCall } from './legacy-call.ts';
import { toDigest } from './legacy-call.ts';
import { ASKING_METHODS } from './protocol.ts';

const HANDLE_BYTES = 24;
const HANDLE_LIFE_MS = 600_000;

interface Parked {
  readonly call: LegacyCall;
  readonly timer: NodeJS.Timeout;
}

export class LegacyCalls {
  readonly #calls = new Map<RpcId, LegacyCall>();
  readonly #parked = new Map<string, Parked>();
  readonly #expire: (call: LegacyCall) => void;

  /** `expire` is told of a call whose client did not come back in time. */
  constructor(expire: (call: LegacyCall) => void) {
    this.#expire = expire;
  }

  start(request: Frame, clientId: RpcId, freshId: () => RpcId): LegacyCall {
    const { message, caller } = request;
    const method = message.method ?? '';
    const envelope = readEnvelope(message);
    const call: LegacyCall = {
      // A client that was answered with a question may take its id for something else, and servers
      // made with the SDK of 2025 cannot cancel a request whose id is 0.
      id: clientId === 0 || this.#calls.has(clientId) ? freshId() : clientId,
      method,
      digest: ASKING_METHODS.has(method) ? toDigest(request) : undefined,
      caller,
      progressToken: envelope.progressToken,
      waiting: { id: clientId, envelope },
      capabilities: envelope.capabilities,
      questions: new Map(),
      ending: undefined,
    };
    this.#calls.set(call.id, call);
    return call;
  }

  get(id: RpcId): LegacyCall | undefined {
    return this.#calls.get(id);
  }

  find(isIt: (call: LegacyCall) => boolean): LegacyCall | undefined {
    return [...this.#calls.values()].find(isIt);
  }

  /**
   * Whose question it is. Over stdio nobody tells, so with calls of several callers under way it is
   * nobody's: a question must not come before somebody else's eyes.
   */
  findAsking(about: RpcId | undefined): LegacyCall | undefined {
    if (about !== undefined) {
      const call = this.#calls.get(about);
      return call?.digest === undefined ? undefined : call;
    }
    const asking = [...this.#calls.values()].filter(
      (call) => call.digest !== undefined && call.ending === undefined,
    );
    const last = asking.at(-1);
    return asking.every((call) => call.caller?.session === last?.caller?.session)
      ? last
      : undefined;
  }

  finish(call: LegacyCall): void {
    this.#calls.delete(call.id);
  }

  /** Keeps the call for its client's return. */
  park(call: LegacyCall): string {
    const handle = randomBytes(HANDLE_BYTES).toString('base64url');
    const timer = setTimeout(() => {
      this.#parked.delete(handle);
      this.finish(call);
      this.#expire(call);
    }, HANDLE_LIFE_MS);
    timer.unref();
    this.#parked.set(handle, { call, timer });
    call.waiting = undefined;
    return handle;
  }

  resume(handle: string, retry: Frame): LegacyCall | undefined {
    const parked = this.#parked.get(handle);
    if (parked === undefined) return undefined;
    const { call, timer } = parked;
    const isSame =
      toDigest(retry) === call.digest && retry.caller?.session === call.caller?.session;
    if (!isSame) return undefined;
    this.#parked.delete(handle);
    clearTimeout(timer);
    return call;
  }

  clear(): void {
    for (const { timer } of this.#parked.values()) clearTimeout(timer);
    this.#parked.clear();
    this.#calls.clear();
  }
}
