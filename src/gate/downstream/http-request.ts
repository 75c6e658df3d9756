/** A request of a client whose sender is known. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../effect/operation.ts';
import { identify } from '../../invoke/identity.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { bearerOf } from '../../serve/http/guard.ts';
import type { Caller, Frame } from '../protocol/frame.ts';
import { elementsIn } from '../protocol/json-text.ts';
import type { Refusal } from '../protocol/read-frame.ts';
import { readClientFrame, toCalledTools } from '../protocol/read-frame.ts';
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
  return { kind: 'refused', problem: toProblem('unauthenticated', 'This gate needs a token.') };
}

/** The body of a request, in one piece and within a limit; `undefined` when it is larger. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and dropped, so that the client gets to read why.
      if (size <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => {
      const [first, second] = chunks;
      resolve(first !== undefined && second === undefined ? first : Buffer.concat(chunks));
    });
    request.once('error', reject);
    request.once('close', () => reject(new Error('the request broke off')));
  });
}

/** The messages in a body: one, or several where the oldest revision of the protocol sends a batch. */
export type Messages =
  | { readonly kind: 'one'; readonly frame: Frame }
  | { readonly kind: 'batch'; readonly frames: readonly Frame[] }
  | Refusal;

const OPEN_ARRAY = 0x5b;
const HIGHEST_SPACE = 0x20;
const MOST_IN_BATCH = 100;

export function readMessages(bytes: Buffer, caller: Caller, limit: number): Messages {
  if (isArray(bytes)) {
    const batch = readBatch(bytes, caller, limit);
    // One that is refused takes the others with it.
    return batch.kind === 'refused' ? { ...batch, calls: callsInBatch(bytes) } : batch;
  }
  const read = readClientFrame(bytes, caller, limit);
  if (read.kind === 'refused') return read;
  const { method, id, result, error } = read.frame.message;
  // A null id belongs to answers that nobody waits for.
  const isCall = method !== undefined && id !== null;
  const isAnswer = method === undefined && id !== undefined && (result ?? error) !== undefined;
  return isCall || isAnswer ? { kind: 'one', frame: read.frame } : invalid();
}

function readBatch(bytes: Buffer, caller: Caller, limit: number): Messages {
  const text = bytes.toString('utf8');
  const parsed = parseStrictJson(text, { bytes: bytes.length, unsafeNumbers: 'keep' });
  if (parsed.kind === 'refused') return refused(toProblem('malformed-json', parsed.detail));
  const places = elementsIn(text);
  if (places.length > MOST_IN_BATCH)
    return invalid(`A batch has at most ${MOST_IN_BATCH} messages.`);
  const frames: Frame[] = [];
  for (const { start, end } of places) {
    const element = Buffer.from(text.slice(start, end));
    const read = isArray(element) ? invalid() : readMessages(element, caller, limit);
    if (read.kind !== 'one') return read;
    frames.push(read.frame);
  }
  return frames.length === 0 ? invalid() : { kind: 'batch', frames };
}

function callsInBatch(bytes: Buffer): readonly string[] {
  try {
    const batch: unknown = JSON.parse(bytes.toString('utf8'));
    return Array.isArray(batch) ? toCalledTools(batch.slice(0, MOST_IN_BATCH)) : [];
  } catch {
    return [];
  }
}

function isArray(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length && (bytes[at] ?? 0) <= HIGHEST_SPACE) at += 1;
  return bytes[at] === OPEN_ARRAY;
}

function invalid(detail = 'The body is not a JSON-RPC message.'): Messages {
  return refused(toProblem('invalid-request', detail));
}

function refused(problem: Problem): Messages {
  return { kind: 'refused', problem, id: null, isResponse: false, calls: [] };
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
