/** What came out of trying to find a server's era, and what both ways of finding it have in common. */
import type { Failure } from '../channel.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { toFrame } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { toRequest } from './messages.ts';
import { CODES, META, MODERN_VERSION } from './protocol.ts';

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
  fromServer(frame: Frame): void;
  failed(id: RpcId, failure: Failure): void;
  close(): void;
}

export function toProbe(id: RpcId, clientInfo: JsonObject): Frame {
  const envelope = {
    [META.version]: MODERN_VERSION,
    [META.capabilities]: {},
    [META.client]: clientInfo,
  };
  return toRequest(id, 'server/discover', { _meta: envelope });
}

/** The answer to a probe, if it is one of a server of 2026. */
export function readDiscovered({ message }: Frame): JsonObject | undefined {
  const { result } = message;
  if (!isObject(result) || !Array.isArray(result['supportedVersions'])) return undefined;
  return result['supportedVersions'].includes(MODERN_VERSION) ? result : undefined;
}

export function readError({ message }: Frame): JsonObject {
  const none = { code: CODES.internal, message: 'the server gave no usable answer' };
  return isObject(message.error) ? message.error : none;
}

/** The server's own error, as the answer to a client's request. */
export function toRefusal(id: RpcId, settled: Settled): Frame {
  const error = settled.kind === 'refused' ? settled.error : {};
  return toFrame({ jsonrpc: '2.0', id, error }, id);
}
