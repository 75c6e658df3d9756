/**
 * How the arguments of one operation become an HTTP request: the plan, made once from the document, and
 * the API that it is sent to.
 */
import type { Call } from '../../effect/operation.ts';
import type { Located } from './reference.ts';

/** An argument as the document has it, before its schema is bundled. */
export interface ReadArgument {
  readonly name: string;
  /** Where it goes, for descriptions. */
  readonly place: string;
  readonly schema: Located;
  readonly required: boolean;
  readonly description: string | undefined;
}

export interface RequestPlan {
  readonly method: string;
  /** With `{name}` where path parameters go. */
  readonly path: string;
  readonly parameters: readonly PlannedParameter[];
  /** Names in the query that no member of an argument may have, as `looseName` writes them. */
  readonly reserved: readonly string[];
  readonly body?: PlannedBody;
}

export interface PlannedParameter {
  /** The tool's name for it; names that clients would not accept are changed. */
  readonly argument: string;
  readonly name: string;
  readonly place: Place;
  readonly style: Style;
  readonly explode: boolean;
  /** Reserved characters of the value are sent as they are, where that is safe. */
  readonly allowsReserved?: true;
}

export type Place = 'path' | 'query' | 'header';

export type Style = 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';

export interface PlannedBody {
  readonly contentType: string;
  /** Sent even when no argument fills it. */
  readonly required: boolean;
  /** The body's fields are arguments of their own, or the whole body is one argument. */
  readonly arguments: readonly string[] | 'body';
  /** The field that takes the idempotency key of the call. */
  readonly keyField?: string;
}

/** Whether an API wants an idempotency key. */
export type KeyNeed = 'required' | 'optional';

/** Argument names that clients accept. */
export const ARGUMENT_NAME: RegExp = /^[\w.-]{1,64}$/;

/** Fixed, or made for each call, so that every principal can have its own credentials. */
export type UpstreamHeaders =
  | Readonly<Record<string, string>>
  | ((call: Call) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

export interface Upstream {
  readonly baseUrl: URL;
  /** Its name in messages for people. */
  readonly title: string;
  readonly headers: UpstreamHeaders;
  readonly timeoutMs: number;
  /** Bytes of an answer. */
  readonly responseLimit: number;
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
}

/** What is known about a call that was sent, for when its outcome is unknown. */
export interface SentCall {
  /** It changes nothing, so it may be retried. */
  readonly readsOnly: boolean;
  /** The API was given an idempotency key. */
  readonly keyed: boolean;
}

/** Checks a base URL; an invalid one is the author's mistake. */
export function toBaseUrl(given: string | URL): URL {
  const url = URL.parse(String(given));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl must be an http or https URL, not ${JSON.stringify(given)}`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError(
      'baseUrl must not contain credentials, a query or a fragment; credentials go into `headers`',
    );
  }
  return url;
}

/**
 * A failure after which it is not known whether the work was done. It is not a problem of the
 * catalogue: the kit logs it, gives the caller a reference, and must not take it for a refusal.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
}
