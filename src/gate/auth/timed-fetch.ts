/** Fetch for talking to authorization servers: bounded in time, so that no lock is held for long. */
import type { FetchLike } from '@modelcontextprotocol/client';

const LIMIT_MS = 10_000;

export const timedFetch: FetchLike = async (url, init) => {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
  const response = await fetch(url, { ...init, signal });
  if (response.status < 400) return response;
  // The HTTP server's library puts its own Response in the place of the platform's; the SDK reads an
  // error only from an instance of what stands there now.
  const { status, statusText, headers } = response;
  return new Response(await response.text(), { status, statusText, headers });
};
