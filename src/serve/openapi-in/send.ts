/** Sends one request to the API and reads its answer, within limits, without leaving its origin. */
import { parseLossless } from '../../lib/lossless-json.ts';
import { NotSentError, ProblemError } from '../../lib/problem.ts';
import type { BuiltRequest } from './build-request.ts';
import { mediaKind } from './read-body.ts';
import { toUpstreamProblem } from './to-upstream-problem.ts';
import type { Upstream, SentCall } from './request-plan.ts';
import { UpstreamError } from './request-plan.ts';

const MOST_REDIRECTS = 5;
/** Characters of an answer that is too long. */
const MOST_SHOWN = 2000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A success as it came. `unreadable` only after a mutation: its work was done all the same. */
export type Answered =
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'unreadable';
      /** `sent JSON that cannot be parsed` */
      readonly how: string;
      /** What can be shown of it. */
      readonly text?: string;
    };

export async function send(
  request: BuiltRequest,
  upstream: Upstream,
  caller: AbortSignal,
  sent: SentCall,
): Promise<Answered> {
  const timeout = AbortSignal.timeout(upstream.timeoutMs);
  const signal = AbortSignal.any([caller, timeout]);
  try {
    const response = await follow(request, upstream, signal, sent);
    if (!response.ok) throw await toRefusal(response, upstream, sent);
    const answered = await readAnswer(response, upstream);
    if (answered.kind === 'value' || !sent.readsOnly) return answered;
    throw new UpstreamError(`${upstream.title} ${answered.how}`);
  } catch (error) {
    if (error instanceof ProblemError || error instanceof UpstreamError || caller.aborted) {
      throw error;
    }
    throw toFailure(error, upstream, timeout.aborted, sent);
  }
}

/** Redirects are followed for reads only, and only within the origin of the credentials. */
async function follow(
  { url: first, ...request }: BuiltRequest,
  upstream: Upstream,
  signal: AbortSignal,
  { readsOnly }: SentCall,
): Promise<Response> {
  const mayFollow = readsOnly && (request.method === 'GET' || request.method === 'HEAD');
  let url = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const response = await upstream.fetch(url, { ...request, redirect: 'manual', signal });
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, url.href);
    if (next?.origin !== upstream.baseUrl.origin) {
      throw new UpstreamError(`${upstream.title} redirected to another origin; not followed`);
    }
    if (!mayFollow) {
      throw new UpstreamError(`${upstream.title} redirected a ${request.method}; not followed`);
    }
    url = next;
  }
  throw new UpstreamError(`${upstream.title} redirected more than ${MOST_REDIRECTS} times`);
}

/** The status says what happened, also when the body is lost. */
async function toRefusal(response: Response, upstream: Upstream, sent: SentCall): Promise<Error> {
  const { status, headers } = response;
  const answered = await readAnswer(response, upstream).catch(() => undefined);
  const body = answered?.kind === 'value' ? answered.value : undefined;
  return toUpstreamProblem({ status, headers, body }, upstream, sent);
}

/** JSON as data, text as text, nothing as `undefined`. */
async function readAnswer(
  response: Response,
  { responseLimit: limit }: Upstream,
): Promise<Answered> {
  const { text, isWhole } = await readText(response, limit);
  if (text === '') return { kind: 'value', value: undefined };
  const kind = mediaKind(response.headers.get('content-type') ?? 'application/json');
  if (kind !== 'json' && kind !== 'text') {
    return { kind: 'unreadable', how: `sent ${kind} data, which is not documented` };
  }
  if (!isWhole) {
    const shown = `${text.slice(0, MOST_SHOWN)}…`;
    return { kind: 'unreadable', how: `sent more than ${limit} bytes`, text: shown };
  }
  if (kind === 'text') return { kind: 'value', value: text };
  try {
    return { kind: 'value', value: parseLossless(text) };
  } catch {
    return { kind: 'unreadable', how: 'sent JSON that cannot be parsed', text };
  }
}

/** No more than the limit; the rest is not read. */
async function readText(
  { body }: Response,
  limit: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size > limit) break;
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, limit));
  return { text, isWhole: size <= limit };
}

function toFailure(
  error: unknown,
  { title, timeoutMs }: Upstream,
  timedOut: boolean,
  { readsOnly }: SentCall,
): Error {
  const sentence = timedOut
    ? `${title} did not answer within ${timeoutMs} ms.`
    : `${title} cannot be reached.`;
  const cause = error instanceof Error ? error.cause : undefined; // `fetch` wraps the socket's error
  if (isUnsent(cause)) return new NotSentError(sentence, { cause: error });
  if (readsOnly) return new ProblemError('unavailable', sentence);
  return new UpstreamError(sentence, { cause: error });
}

/**
 * Whether the connection was never made, so that the work was certainly not done. Decided by the step
 * that failed, not the error code: a host can also become unreachable after everything was sent.
 */
function isUnsent(cause: unknown): boolean {
  if (cause instanceof AggregateError)
    return cause.errors.length > 0 && cause.errors.every(isUnsent);
  if (typeof cause !== 'object' || cause === null) return false;
  if ('syscall' in cause) return cause.syscall === 'connect' || cause.syscall === 'getaddrinfo';
  return 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT';
}
