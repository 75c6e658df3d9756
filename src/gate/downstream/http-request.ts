/** A request of a client whose sender is known. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../effect/operation.ts';
import { identify } from '../../invoke/identity.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { bearerOf } from '../../serve/http/guard.ts';
import type { Caller } from '../protocol/frame.ts';
import { toSharedSession } from '../protocol/frame.ts';
import type { LineEnds } from '../protocol/lines.ts';
import type { HttpDownstreamOptions } from './http-downstream.ts';

export interface Inbound {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal;
}

/** Taken, and nothing to say about it. */
export function accept(response: ServerResponse): void {
  response.writeHead(202, { 'content-length': 0 });
  response.end();
}

/** Who sent a request: by its token, or the one principal where there are no tokens. */
type Identified =
  | { readonly kind: 'known'; readonly principal: Principal }
  | { readonly kind: 'refused'; readonly problem: Problem };

export async function identifyRequest(
  { headers }: IncomingMessage,
  { authenticate, principal }: Pick<HttpDownstreamOptions, 'authenticate' | 'principal'>,
): Promise<Identified> {
  const identity = await identify(bearerOf(headers.authorization), authenticate, new Date());
  if (identity.kind !== 'anonymous') return identity;
  if (authenticate === undefined && principal !== undefined) return { kind: 'known', principal };
  const remedy = 'Send a token as `Authorization: Bearer …`.';
  const problem = toProblem('unauthenticated', 'This gate needs a token.', { remedy });
  return { kind: 'refused', problem };
}

/** The body of a request, in one piece and within a limit; of a larger one, how it begins. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | LineEnds> {
  const isTooLong = Number(request.headers['content-length'] ?? 0) > limit;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and dropped, so that the client gets to read why.
      if (size <= limit || chunks.length === 0) chunks.push(chunk);
      if (size <= limit && !isTooLong) return;
      const head = Buffer.concat(chunks.splice(0)).subarray(0, HEAD_BYTES);
      resolve({ head, tail: Buffer.alloc(0) });
    });
    request.once('end', () => {
      const [first, second] = chunks;
      resolve(first !== undefined && second === undefined ? first : Buffer.concat(chunks));
    });
    request.once('error', reject);
    // After every body, where it is too late for a reason, and errors are not cheap.
    request.once('close', () => {
      if (!request.readableEnded) reject(new Error('the request broke off'));
    });
  });
}

const HEAD_BYTES = 4096;

/** The session of a client that cannot be told from the others of its principal. */
export function toPrincipalSession({ tenant = '', id }: Principal): string {
  return toSharedSession(`${tenant}/${id}`);
}

/** Who sent a message, and which of its headers go on. The token is not among them. */
const PASSED: ReadonlySet<string> = new Set([
  'traceparent',
  'tracestate',
  'baggage',
  'idempotency-key',
  // Shows behind the gate that the caller has mirrored its call in headers.
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
