/**
 * A client of 2026 in front of a server of 2025. The handshake is done by then. What the server asks
 * during a call becomes a question in the answer, and the call goes on when the client returns.
 */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Failure } from '../channel.ts';
import { editFrame } from '../edit-frame.ts';
import {
  ASKING_METHODS,
  CODES,
  META,
  MODERN_VERSION,
  readEnvelope,
  stripEnvelope,
  toUnsupportedVersion,
} from '../envelope.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { isId, toError, toRequest, toResult } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { isInputMethod } from './input-request.ts';
import { LegacyCalls } from './legacy-calls.ts';
import { LegacyQuestions } from './legacy-questions.ts';
import { LegacySubscriptions } from './legacy-subscriptions.ts';
import type { Ends, Translator } from './open-either.ts';

/** What 2026 took out of the protocol. */
const GONE: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

export class ModernToLegacy implements Translator {
  readonly #ends: Ends;
  #hello: JsonObject = {};
  readonly #calls: LegacyCalls;
  readonly #questions: LegacyQuestions;
  readonly #subscriptions: LegacySubscriptions;
  #logLevel: string | undefined;

  /** `hello` is the server's answer to `initialize`. */
  constructor(ends: Ends, hello: JsonObject) {
    this.#ends = ends;
    this.#calls = new LegacyCalls((call) => this.#questions.abandon(call));
    this.#questions = new LegacyQuestions(ends, this.#calls);
    this.#subscriptions = new LegacySubscriptions(ends);
    this.begin(hello);
  }

  /** Goes on with a server that began a new session; what the one before it said no longer holds. */
  begin(hello: JsonObject): void {
    this.#hello = hello;
    this.#questions.serverInfo = hello['serverInfo'];
    this.#subscriptions.capabilities = toObject(hello['capabilities']);
  }

  fromClient(frame: Frame): void {
    const { id, method } = frame.message;
    // A client of 2026 has nothing to answer.
    if (method === undefined) return;
    if (isId(id)) this.#request(frame, id, method);
    else if (method === 'notifications/cancelled') this.#cancel(frame);
    else this.#ends.server.send(stripEnvelope(frame));
  }

  frame(frame: Frame): void {
    const { id, method } = frame.message;
    if (method === undefined) {
      const call = isId(id) ? this.#calls.get(id) : undefined;
      if (call !== undefined) this.#questions.settle(call, { kind: 'answered', frame });
    } else if (isId(id)) this.#asked(frame, id, method);
    else this.#notified(frame, method);
  }

  failed(id: RpcId, failure: Failure): void {
    const call = this.#calls.get(id);
    if (call !== undefined) this.#questions.settle(call, { kind: 'failed', failure });
  }

  /** Clients subscribe again when their subscriptions end, and say the log level with each request. */
  renewed(failure: Failure): void {
    for (const call of this.#calls.all()) {
      call.questions.clear();
      if (call.ending === undefined) this.#questions.settle(call, { kind: 'failed', failure });
    }
    this.#subscriptions.endAll();
    this.#logLevel = undefined;
  }

  close(): void {
    this.#calls.clear();
  }

  #request(frame: Frame, id: RpcId, method: string): void {
    const { version, logLevel } = readEnvelope(frame.message);
    if (version !== undefined && version !== MODERN_VERSION) {
      this.#ends.client.frame(toUnsupportedVersion(id, version));
    } else if (method === 'server/discover') {
      this.#ends.client.frame(toResult(id, toDiscoverResult(this.#hello)));
    } else if (GONE.has(method)) {
      const detail = `${method} is not a method of ${MODERN_VERSION}`;
      this.#ends.client.frame(toError(id, CODES.methodNotFound, detail));
    } else if (method === 'subscriptions/listen') {
      this.#subscriptions.open(id, frame);
    } else if (ASKING_METHODS.has(method) && frame.message.params?.['requestState'] !== undefined) {
      this.#questions.resume(frame, id);
    } else {
      this.#tellLogLevel(logLevel);
      const call = this.#calls.start(frame, id, () => this.#ends.ids.next());
      const edits = call.id === id ? [] : [{ kind: 'set', path: ['id'], value: call.id } as const];
      this.#ends.server.send(editFrame(stripEnvelope(frame), edits));
    }
  }

  #tellLogLevel(level: string | undefined): void {
    if (level === undefined || level === this.#logLevel) return;
    if (toObject(this.#hello['capabilities'])['logging'] === undefined) return;
    this.#logLevel = level;
    this.#ends.server.send(toRequest(this.#ends.ids.next(), 'logging/setLevel', { level }));
  }

  #cancel(frame: Frame): void {
    const id = frame.message.params?.['requestId'];
    if (!isId(id) || this.#subscriptions.end(id)) return;
    const call = this.#calls.find(({ waiting }) => waiting?.id === id);
    if (call === undefined) return;
    // It may still be answered, and the answer then counts.
    call.isCancelled = true;
    const path = ['params', 'requestId'] as const;
    const edits = call.id === id ? [] : [{ kind: 'set', path, value: call.id } as const];
    this.#ends.server.send(editFrame(stripEnvelope(frame), edits));
  }

  #asked(frame: Frame, id: RpcId, method: string): void {
    if (isInputMethod(method)) this.#questions.ask(frame, id, method);
    else if (method === 'ping') this.#ends.server.send(toResult(id, {}));
    else this.#ends.server.send(toError(id, CODES.methodNotFound, `${method} is not served here`));
  }

  #notified(frame: Frame, method: string): void {
    if (this.#subscriptions.forward(frame)) return;
    if (method === 'notifications/cancelled') this.#questions.withdraw(frame);
    else if (method === 'notifications/progress') this.#progress(frame);
    else if (method === 'notifications/message') this.#log(frame);
    // 2026 knows no end of a page that was opened; the client simply returns.
    else if (method !== 'notifications/elicitation/complete') this.#ends.client.frame(frame);
  }

  /** A client that returned has another token than the one the server was given. */
  #progress(frame: Frame): void {
    const token = frame.message.params?.['progressToken'];
    const call = isId(token) ? this.#calls.find((one) => one.progressToken === token) : undefined;
    const waiting = call?.waiting;
    if (waiting === undefined || waiting.envelope.progressToken === undefined) return;
    const value = waiting.envelope.progressToken;
    const path = ['params', 'progressToken'] as const;
    const edits = value === token ? [] : [{ kind: 'set', path, value } as const];
    this.#ends.client.frame({ ...editFrame(frame, edits), about: waiting.id });
  }

  /** Only requests that ask for log messages may be sent any. */
  #log(frame: Frame): void {
    const { about } = frame;
    const call = this.#calls.find(
      ({ id, waiting }) =>
        (about === undefined || about === id) && waiting?.envelope.logLevel !== undefined,
    );
    if (call?.waiting) this.#ends.client.frame({ ...frame, about: call.waiting.id });
  }
}

function toObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** What a server of 2025 said in its handshake, as the answer to `server/discover`. Pure. */
function toDiscoverResult(hello: JsonObject): JsonObject {
  const { capabilities, instructions, serverInfo } = hello;
  // The tasks of 2025 went out of the core; whoever saw them here would call methods that are gone.
  const { tasks: _, ...kept } = isObject(capabilities) ? capabilities : {};
  return {
    resultType: 'complete',
    supportedVersions: [MODERN_VERSION],
    capabilities: kept,
    ...(instructions !== undefined && { instructions }),
    ttlMs: 0,
    cacheScope: 'private',
    ...(serverInfo !== undefined && { _meta: { [META.server]: serverInfo } }),
  };
}
