/**
 * A call of a 2026 client that runs at a server of 2025. It outlives the requests of its client: while
 * a question of the server waits, the client has been answered and the call goes on.
 */
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../../../lib/canonical-json.ts';
import type { Failure } from '../channel.ts';
import type { Caller, Frame, JsonObject, RpcId } from '../frame.ts';
import type { Envelope } from './envelope.ts';
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
}

/** `undefined` for what cannot be hashed, which then never matches. */
export function toDigest({ message }: Frame): string | undefined {
  const { name = null, uri = null, arguments: given = {} } = message.params ?? {};
  try {
    const text = toCanonicalJson([message.method ?? null, name, uri, given]);
    return createHash('sha256').update(text).digest('base64url');
  } catch {
    return undefined;
  }
}
