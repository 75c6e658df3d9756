/**
 * Fetches what a foreign server, or an authorization server that it named, points to: bounded in time
 * and size, never over plain http beyond this machine, never from elsewhere into this machine, and
 * without following a redirect to another origin.
 */
import type { FetchLike } from '@modelcontextprotocol/client';
import { isLoopback, isSafeUrl } from '../../lib/is-safe-url.ts';

const LIMIT_MS = 10_000;
const LIMIT_BYTES = 1024 * 1024;
const MOST_REDIRECTS = 3;

/** `serverUrl`: the MCP server that started it all, which a person or a configuration named. */
export function cautiousFetch(serverUrl: string): FetchLike {
  const mayStayHere = isLoopback(new URL(serverUrl));
  return async (first, init) => {
    const method = init?.method ?? 'GET';
    let url = new URL(String(first));
    for (let hops = 0; ; hops += 1) {
      checkTarget(url, mayStayHere);
      const response = await timedFetch(url, { ...init, redirect: 'manual' });
      const location = isRedirect(response) ? response.headers.get('location') : null;
      if (location === null || init?.redirect === 'manual') return response;
      await response.body?.cancel();
      const next = new URL(location, url);
      if (method !== 'GET' || next.origin !== url.origin || hops === MOST_REDIRECTS) {
        throw new Error(`${url.origin} redirects to ${next.origin}, which is not followed`);
      }
      url = next;
    }
  };
}

function checkTarget(url: URL, mayStayHere: boolean): void {
  if (!isSafeUrl(url)) throw new Error(`${url.origin} is neither https nor on this machine`);
  if (!mayStayHere && isLoopback(url)) {
    throw new Error(`a server elsewhere points to ${url.origin} on this machine`);
  }
}

function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

async function timedFetch(url: URL, init: RequestInit): Promise<Response> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
  const response = await fetch(url, { ...init, signal });
  // The HTTP server's library puts its own Response in the place of the platform's; the SDK reads an
  // error only from an instance of the one that is global now.
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(limitBytes()) ?? null, {
    status,
    statusText,
    headers,
  });
}

function limitBytes(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let read = 0;
  return new TransformStream({
    transform(chunk, controller) {
      read += chunk.length;
      if (read > LIMIT_BYTES) controller.error(new Error('the answer is too large'));
      else controller.enqueue(chunk);
    },
  });
}
