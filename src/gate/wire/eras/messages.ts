/** Messages of the wire's own making, as frames. */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Frame, JsonObject, RpcId } from '../frame.ts';
import { toFrame } from '../frame.ts';

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
