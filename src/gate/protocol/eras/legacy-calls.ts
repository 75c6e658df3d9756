/**
 * A call of a 2026 client that runs at a server of 2025. It outlives the requests of its client: while
 * a question of the server waits, the client has been answered and the call goes on.
 */
import { createHash, randomBytes } from 'node:crypto';
import { toCanonicalJson } from '../../../lib/canonical-json.ts';
import { ShortLivedMap } from '../../../lib/short-lived-map.ts';
import type { Failure } from '../channel.ts';
import type { Envelope } from '../envelope.ts';
import { ASKING_METHODS, readEnvelope } from '../envelope.ts';
import type { Caller, Frame, JsonObject, RpcId } from '../frame.ts';
import type { InputRequest } from './input-request.ts';

/** How the server ended the call. */
export type Ending =
  | { readonly kind: 'answered'; readonly frame: Frame }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** A question of the server, under the id that it gave. */
interface Question extends InputRequest {
  readonly id: RpcId;
}

export interface LegacyCall {
  /** The id that the server knows. */
  readonly id: RpcId;
  readonly method: string;
  /** Of what was asked for; a retry must ask for the same. */
  readonly digest: string | undefined;
  readonly caller: Caller | undefined;
  /** The token that the server knows. */
  readonly progressToken: RpcId | undefined;
  /** The request of the client that waits for an answer, if one does. */
  waiting: { readonly id: RpcId; readonly envelope: Envelope } | undefined;
  /** What the client said last about what it can be asked. */
  capabilities: JsonObject;
  /** By the key under which the client is asked. */
  readonly questions: Map<string, Question>;
  ending: Ending | undefined;
  /** The client wants no answer, and is not asked anything any more. */
  isCancelled: boolean;
}

/** `undefined` for what cannot be hashed, which then never matches. */
function toDigest({ message }: Frame): string | undefined {
  const { name = null, uri = null, arguments: given = {} } = message.params ?? {};
  try {
    const text = toCanonicalJson([message.method ?? null, name, uri, given]);
    return createHash('sha256').update(text).digest('base64url');
  } catch {
    return undefined;
  }
}

/**
 * The calls that run at a server of 2025, and the handles under which those with an open question are
 * kept. A handle is random, good for one use by the same caller for the same call, and expires.
 */
const HANDLE_BYTES = 24;
const HANDLE_LIFE_MS = 600_000;

interface Parked {
  readonly call: LegacyCall;
  readonly timer: NodeJS.Timeout;
}

export class LegacyCalls {
  readonly #calls = new ShortLivedMap<RpcId, LegacyCall>();
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
      isCancelled: false,
    };
    this.#calls.set(call.id, call);
    return call;
  }

  get(id: RpcId): LegacyCall | undefined {
    return this.#calls.get(id);
  }

  all(): readonly LegacyCall[] {
    return this.#calls.values();
  }

  find(isIt: (call: LegacyCall) => boolean): LegacyCall | undefined {
    return this.#calls.values().find(isIt);
  }

  /**
   * Whose question it is. Over stdio nobody tells, so with calls of several callers under way it is
   * nobody's: a question must not come before somebody else's eyes.
   */
  findAsking(about: RpcId | undefined): LegacyCall | undefined {
    if (about !== undefined) {
      const call = this.#calls.get(about);
      return call?.digest === undefined || call.isCancelled ? undefined : call;
    }
    const asking = this.#calls
      .values()
      .filter(
        (call) => call.digest !== undefined && call.ending === undefined && !call.isCancelled,
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
