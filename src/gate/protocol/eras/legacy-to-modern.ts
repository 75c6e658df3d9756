/**
 * A client of 2025 in front of a server of 2026. The handshake is answered here from what the server
 * tells about itself, and every request then carries what the client said in it.
 */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Failure } from '../channel.ts';
import { CODES, LEGACY_VERSIONS, META, MODERN_VERSION, readMeta } from '../envelope.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { isId, toError, toResult } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { ModernCalls } from './modern-calls.ts';
import { ModernListen } from './modern-listen.ts';
import type { Ends, Translator } from './open-either.ts';

export class LegacyToModern implements Translator {
  readonly #ends: Ends;
  readonly #discovered: JsonObject;
  readonly #calls: ModernCalls;
  readonly #listen: ModernListen;
  #capabilities: JsonObject = {};
  #clientInfo: JsonValue | undefined;
  #logLevel: JsonValue | undefined;

  /** `discovered` is the server's answer to `server/discover`. */
  constructor(ends: Ends, discovered: JsonObject) {
    this.#ends = ends;
    this.#discovered = discovered;
    this.#calls = new ModernCalls(ends);
    const { capabilities } = discovered;
    this.#listen = new ModernListen(ends, isObject(capabilities) ? capabilities : {});
  }

  fromClient(frame: Frame): void {
    const { id, method } = frame.message;
    if (method === undefined) {
      if (isId(id)) this.#calls.replied(frame, id);
    } else if (isId(id)) this.#request(frame, id, method);
    else this.#notified(frame, method);
  }

  frame(frame: Frame): void {
    const { id, method } = frame.message;
    if (method === undefined) {
      if (!isId(id) || this.#listen.answered(id, frame)) return;
      this.#calls.answered(frame, id, this.#capabilities);
    } else if (isId(id)) {
      // 2026 has no requests to the client.
      this.#ends.server.send(toError(id, CODES.methodNotFound, `${method} is not served here`));
    } else if (!this.#listen.forward(frame)) {
      const { about } = frame;
      const clientId = about === undefined ? undefined : this.#calls.toClientId(about);
      this.#ends.client.frame(
        clientId === undefined || clientId === about ? frame : { ...frame, about: clientId },
      );
    }
  }

  failed(id: RpcId, failure: Failure): void {
    if (!this.#listen.failed(id, failure)) this.#calls.failed(id, failure);
  }

  /** The stream of announcements ended with the server before; a call that asks goes on. */
  renewed(failure: Failure): void {
    this.#calls.failSent(failure);
    this.#listen.renewed(this.#toEnvelope(), failure);
  }

  close(): void {
    this.#calls.clear();
    this.#listen.close();
  }

  #request(frame: Frame, id: RpcId, method: string): void {
    const params = frame.message.params ?? {};
    const { uri } = params;
    if (method === 'initialize') this.#initialize(id, params);
    else if (method === 'ping') this.#ends.client.frame(toResult(id, {}));
    else if (method === 'logging/setLevel') {
      this.#logLevel = params['level'];
      this.#ends.client.frame(toResult(id, {}));
    } else if (method === 'resources/subscribe' && typeof uri === 'string') {
      this.#listen.subscribe(uri, this.#toEnvelope(), id);
    } else if (method === 'resources/unsubscribe' && typeof uri === 'string') {
      this.#listen.unsubscribe(uri, this.#toEnvelope(), id);
    } else this.#calls.start(frame, id, this.#toEnvelope());
  }

  #notified(frame: Frame, method: string): void {
    const requestId = frame.message.params?.['requestId'];
    if (method === 'notifications/initialized') this.#listen.open(this.#toEnvelope());
    else if (method === 'notifications/cancelled' && isId(requestId)) {
      this.#calls.cancel(frame, requestId);
    } else if (method !== 'notifications/roots/list_changed') this.#ends.server.send(frame);
  }

  #initialize(id: RpcId, { capabilities, clientInfo, protocolVersion }: JsonObject): void {
    this.#capabilities = isObject(capabilities) ? capabilities : {};
    this.#clientInfo = clientInfo;
    this.#ends.client.frame(toResult(id, toInitializeResult(this.#discovered, protocolVersion)));
  }

  #toEnvelope(): JsonObject {
    return {
      [META.version]: MODERN_VERSION,
      [META.capabilities]: this.#capabilities,
      ...(this.#clientInfo !== undefined && { [META.client]: this.#clientInfo }),
      ...(this.#logLevel !== undefined && { [META.logLevel]: this.#logLevel }),
    };
  }
}

/** What a server of 2026 tells about itself, as the answer to `initialize`. Pure. */
function toInitializeResult(discovered: JsonObject, asked: JsonValue | undefined): JsonObject {
  const { capabilities, instructions } = discovered;
  const known = typeof asked === 'string' && LEGACY_VERSIONS.includes(asked);
  return {
    protocolVersion: known ? asked : LEGACY_VERSIONS[0],
    capabilities: capabilities ?? {},
    // 2025 demands a name; a server of 2026 need not tell one.
    serverInfo: readMeta(discovered)[META.server] ?? { name: 'unnamed', version: '0' },
    ...(instructions !== undefined && { instructions }),
  };
}
