/** The HTTP API that projected operations forward to. */
import type { Call } from '../../effect/operation.ts';

/** Fixed, or made for each call: then every principal can have credentials of its own. */
export type UpstreamHeaders =
  | Readonly<Record<string, string>>
  | ((call: Call) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

export interface Upstream {
  readonly baseUrl: URL;
  /** What it is called in sentences for people. */
  readonly title: string;
  readonly headers: UpstreamHeaders;
  readonly timeoutMs: number;
  /** Bytes of an answer. */
  readonly responseLimit: number;
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
}

/** What is known of a call that was sent, for when its answer is in doubt. */
export interface SentCall {
  /** It changes nothing, so that it may be sent again. */
  readonly readsOnly: boolean;
  /** The API was given an idempotency key. */
  readonly keyed: boolean;
}

/** A base URL that requests can be built on; anything else is the author's mistake. */
export function toBaseUrl(given: string | URL): URL {
  const url = URL.parse(String(given));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl must be an http or https URL, not ${JSON.stringify(given)}`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError(
      'baseUrl must hold no credentials, query or fragment; credentials go into `headers`',
    );
  }
  return url;
}

/**
 * A failure after which nobody knows whether the work was done. It is no problem of the catalogue:
 * the kit logs it, gives the caller a reference, and must not take it for a refusal.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
}
