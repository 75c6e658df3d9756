/** What a request of 2026-07-28 says about itself in `_meta`, and which headers mirror it. */
import type { JsonObject, RpcMessage } from '../frame.ts';
import { isObject } from '../read-frame.ts';

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

const FIRST_MODERN = '2026-07-28';

/** Which parameter `Mcp-Name` repeats. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

export function metaOf({ params }: RpcMessage): JsonObject | undefined {
  const meta = params?.['_meta'];
  return isObject(meta) ? meta : undefined;
}

/** A message that claims an envelope is of the modern era, whichever version it names. */
export function hasEnvelope(message: RpcMessage): boolean {
  const meta = metaOf(message);
  return meta !== undefined && VERSION_KEY in meta;
}

/** Revisions are dates, so they compare as text. */
export function isModernVersion(version: string | undefined): boolean {
  return version !== undefined && version >= FIRST_MODERN;
}

export function isNamed({ method }: RpcMessage): boolean {
  return method !== undefined && NAMED_BY.has(method);
}

export function nameOf({ method, params }: RpcMessage): string | undefined {
  const field = method === undefined ? undefined : NAMED_BY.get(method);
  const name = field === undefined ? undefined : params?.[field];
  return typeof name === 'string' ? name : undefined;
}
