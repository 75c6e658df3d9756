/**
 * Reads frames off the wire. What a client sends is read strictly, since it is decided on: nobody
 * behind the gate may see another message in the same bytes. What a server sends is only read.
 */
import type { JsonValue } from '../../lib/json-value.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { Caller, Frame, JsonObject, RpcId, RpcMessage } from './frame.ts';
import { isId } from './frame.ts';

/** The largest message that is taken. */
export const MESSAGE_LIMIT: number = 64 * 1024 * 1024;
const DEPTH_LIMIT = 128;

export type ReadFrame =
  | { readonly kind: 'frame'; readonly frame: Frame }
  /** Several messages in one; only the oldest revision of the protocol has it. */
  | { readonly kind: 'refused'; readonly problem: Problem; readonly id: RpcId | null };

export function readClientFrame(bytes: Buffer, caller: Caller): ReadFrame {
  const text = bytes.toString('utf8');
  // Bytes that are no UTF-8 would be read by others in their own way.
  if (text.includes('\uFFFD') && !Buffer.from(text).equals(bytes)) {
    return refuse(toProblem('malformed-json', 'The message is not UTF-8.'), null);
  }
  const parsed = parseStrictJson(text, { bytes: MESSAGE_LIMIT, depth: DEPTH_LIMIT });
  if (parsed.kind === 'refused') return refuse(toProblem('malformed-json', parsed.detail), null);
  const message = toMessage(parsed.value);
  if (message === undefined) {
    return refuse(toProblem('invalid-request', 'The message is not a JSON-RPC message.'), null);
  }
  return { kind: 'frame', frame: { bytes, message, caller } };
}

/** `undefined` for what is no message: servers print such lines by mistake. */
export function readServerFrame(bytes: Buffer, about?: RpcId): Frame | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(bytes.toString('utf8')) as JsonValue;
  } catch {
    return undefined;
  }
  const message = toMessage(value);
  if (message === undefined) return undefined;
  return { bytes, message, ...(about !== undefined && { about }) };
}

function toMessage(value: JsonValue): RpcMessage | undefined {
  if (!isObject(value)) return undefined;
  const { id, method, params } = value;
  if (method !== undefined && typeof method !== 'string') return undefined;
  if (id !== undefined && id !== null && !isId(id)) return undefined;
  if (params !== undefined && !isObject(params)) return undefined;
  return value as RpcMessage;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(problem: Problem, id: RpcId | null): ReadFrame {
  return { kind: 'refused', problem, id };
}
