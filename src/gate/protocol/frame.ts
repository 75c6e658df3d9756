/**
 * A frame: one JSON-RPC message, as the bytes that were read and as what they say. The bytes are what
 * is sent on; the parsed message is only looked at.
 */
import { randomBytes } from 'node:crypto';
import type { Principal } from '../../effect/operation.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Failure } from './channel.ts';

export type RpcId = string | number;

export type JsonObject = Readonly<Record<string, JsonValue>>;

export interface RpcMessage {
  readonly id?: RpcId | null;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonValue;
  readonly error?: JsonValue;
}

export interface Frame {
  /** UTF-8, without a line end. */
  readonly bytes: Uint8Array;
  readonly message: RpcMessage;
  /** On frames from a client: who sent it. */
  readonly caller?: Caller;
  /** On frames from a server: the request it belongs to, where the transport tells. */
  readonly about?: RpcId;
  /** On frames from a server over HTTP: it came as an event of a stream, not as JSON. */
  readonly isEvent?: boolean;
}

export interface Caller {
  readonly principal: Principal;
  /** Names the conversation: a process of the host, a session, or a principal of the 2026 revision. */
  readonly session: string;
  readonly via: 'mcp-stdio' | 'mcp-http';
  /** Headers that go on to a server over HTTP: `mcp-param-*` and trace context, never credentials. */
  readonly headers?: Readonly<Record<string, string>>;
}

const SHARED = 'principal:';

/** The session of every client of a principal, where the revision tells no client from another. */
export function toSharedSession(owner: string): string {
  return `${SHARED}${owner}`;
}

export function isSharedSession(session: string): boolean {
  return session.startsWith(SHARED);
}

/**
 * Notifications between the two ends of the gate, which neither a client nor a server ever gets:
 * - `callerGone`, up: nobody waits for the answer to `requestId`, which is not cancelled.
 * - `streamClosed`, down, about a request: its server closed the stream and is polled after `retryMs`.
 */
export const INTERNAL: { readonly callerGone: string; readonly streamClosed: string } =
  Object.freeze({
    callerGone: 'notifications/plimsoll/caller_gone',
    streamClosed: 'notifications/plimsoll/stream_closed',
  });

/** A frame of our own making. */
export function toFrame(message: JsonObject, about?: RpcId): Frame {
  const bytes = Buffer.from(JSON.stringify(message));
  return { bytes, message, ...(about !== undefined && { about }) };
}

export function isRequest({ message }: Frame): boolean {
  return message.method !== undefined && isId(message.id);
}

export function isResponse({ message }: Frame): boolean {
  return message.method === undefined && isId(message.id);
}

export function isId(id: unknown): id is RpcId {
  return typeof id === 'string' || typeof id === 'number';
}

/** Messages of the wire's own making, as frames. */
export function toRequest(id: RpcId, method: string, params?: JsonObject, about?: RpcId): Frame {
  return toFrame({ jsonrpc: '2.0', id, method, ...(params && { params }) }, about);
}

export function toNotification(method: string, params?: JsonObject, about?: RpcId): Frame {
  return toFrame({ jsonrpc: '2.0', method, ...(params && { params }) }, about);
}

export function toResult(id: RpcId, result: JsonValue): Frame {
  return toFrame({ jsonrpc: '2.0', id, result }, id);
}

export function toError(id: RpcId, code: number, message: string, data?: JsonValue): Frame {
  const error = { code, message, ...(data !== undefined && { data }) };
  return toFrame({ jsonrpc: '2.0', id, error }, id);
}

/** Ids for requests of the wire's own, which nobody else can have chosen. */
export class OwnIds {
  readonly #prefix = `plimsoll-${randomBytes(9).toString('base64url')}-`;
  #count = 0;

  next(): string {
    this.#count += 1;
    return `${this.#prefix}${this.#count}`;
  }

  has(id: unknown): boolean {
    return typeof id === 'string' && id.startsWith(this.#prefix);
  }
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** How the wire's own failures look to a client: JSON-RPC errors that carry a problem. */
export function toFailureFrame(id: RpcId, failure: Failure): Frame {
  return toErrorFrame(id, INTERNAL_ERROR, toFailureProblem(failure));
}

/** Says plainly whether anything can have happened. */
export function toFailureProblem(failure: Failure): Problem {
  const { kind, detail, retryAfterSeconds, unstarted } = failure;
  if (kind === 'lost') return toProblem('server-stopped', `${detail}.`);
  if (unstarted) return toProblem('server-not-started', `${detail}. Nothing was run.`);
  const fields = retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds };
  return toProblem('unavailable', `${detail}. Nothing was run.`, fields);
}

export function toRefusalFrame(id: RpcId | null, problem: Problem): Frame {
  const code = problem.code === 'malformed-json' ? PARSE_ERROR : INVALID_REQUEST;
  return toErrorFrame(id, code, problem);
}

export function toErrorFrame(id: RpcId | null, code: number, problem: Problem): Frame {
  const data = { ...problem } as unknown as JsonValue; // a problem holds nothing that JSON cannot
  return toFrame({ jsonrpc: '2.0', id, error: { code, message: problem.detail, data } });
}
