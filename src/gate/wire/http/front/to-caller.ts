/** Who sent a message, and which of its headers go on. The token is not among them. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../../../effect/operation.ts';
import type { Caller } from '../../frame.ts';

const PASSED: ReadonlySet<string> = new Set([
  'traceparent',
  'tracestate',
  'baggage',
  'idempotency-key',
  // Tells behind the gate that the caller has mirrored its call in headers.
  'mcp-method',
]);
const PARAM_PREFIX = 'mcp-param-';

export function toCaller(
  principal: Principal,
  session: string,
  headers: IncomingHttpHeaders,
): Caller {
  const passed: Record<string, string> = {};
  let hasAny = false;
  for (const name in headers) {
    if (!PASSED.has(name) && !name.startsWith(PARAM_PREFIX)) continue;
    const value = headers[name];
    if (typeof value !== 'string') continue;
    passed[name] = value;
    hasAny = true;
  }
  return { principal, session, via: 'mcp-http', ...(hasAny && { headers: passed }) };
}

/** One name for a principal, whichever way its parts are spelled. */
export function ownerOf({ tenant, id }: Principal): string {
  return JSON.stringify([tenant ?? '', id]);
}
