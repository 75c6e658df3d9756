/** Sends one request to the API and reads its answer, within limits, without leaving its origin. */
import { NotSentError, ProblemError } from '../../lib/problem.ts';
import type { BuiltRequest } from './build-request.ts';
import { mediaKind } from './read-body.ts';
import { toUpstreamProblem } from './to-upstream-problem.ts';
import type { Upstream, SentCall } from './request-plan.ts';
import { UpstreamError } from './request-plan.ts';

const MOST_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export async function send(
  request: BuiltRequest,
  upstream: Upstream,
  caller: AbortSignal,
  sent: SentCall,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(upstream.timeoutMs);
  const signal = AbortSignal.any([caller, timeout]);
  try {
    const response = await follow(request, upstream, signal);
    const body = await readBody(response, upstream);
    if (response.ok) return body;
    const { status, headers } = response;
    throw toUpstreamProblem({ status, headers, body }, upstream, sent);
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
): Promise<Response> {
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
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new UpstreamError(`${upstream.title} redirected a ${request.method}; not followed`);
    }
    url = next;
  }
  throw new UpstreamError(`${upstream.title} redirected more than ${MOST_REDIRECTS} times`);
}

/** JSON as data, text as text, nothing as `undefined`. A failure's body may be anything. */
async function readBody(response: Response, upstream: Upstream): Promise<unknown> {
  const { ok, headers } = response;
  const text = await readText(response, upstream.responseLimit);
  if (text === undefined) {
    if (!ok) return undefined;
    throw new UpstreamError(`${upstream.title} sent more than ${upstream.responseLimit} bytes`);
  }
  if (text === '') return undefined;
  const kind = mediaKind(headers.get('content-type') ?? 'application/json');
  if (kind === 'text') return text;
  if (kind !== 'json' && ok) {
    throw new UpstreamError(`${upstream.title} sent ${kind} data, which is not documented`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (!ok) return undefined;
    throw new UpstreamError(`${upstream.title} sent JSON that cannot be parsed`);
  }
}

/** `undefined` when it is longer than the limit; the rest is not read. */
async function readText({ body }: Response, limit: number): Promise<string | undefined> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
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
