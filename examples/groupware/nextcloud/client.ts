/**
 * Requests to a groupware server with one account's app password, and what their failures mean. A write
 * whose answer is lost may have been done, and is reported as such.
 */
import type { ProblemCode } from 'plimsoll/server';
import { ProblemError } from 'plimsoll/server';

export interface ClientInit {
  readonly user: string;
  readonly appPassword: string;
  /** How long a request may take. Default: 20 s. */
  readonly patienceMs?: number;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PROPFIND', 'REPORT', 'OPTIONS']);
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

export class GroupwareClient {
  readonly #authorization: string;
  readonly #patienceMs: number;

  constructor({ user, appPassword, patienceMs = 20_000 }: ClientInit) {
    const pair = Buffer.from(`${user}:${appPassword}`).toString('base64');
    this.#authorization = `Basic ${pair}`;
    this.#patienceMs = patienceMs;
  }

  /** Any answer, whatever its status, except for those that are about neither request nor object. */
  readonly fetch = async (
    url: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('authorization', this.#authorization);
    const method = init.method ?? 'GET';
    const signal = AbortSignal.timeout(this.#patienceMs);
    let response: Response;
    try {
      response = await fetch(url, { ...init, headers, signal, redirect: 'manual' });
    } catch (error) {
      throw toFailure(method, error);
    }
    if (response.status === 401) {
      throw new ProblemError('unavailable', 'The groupware server refused the app password.');
    }
    if (response.status === 429) {
      const seconds = Number(response.headers.get('retry-after')) || 5;
      throw new ProblemError('rate-limited', 'The groupware server asks to slow down.', {
        retryAfter: seconds,
      });
    }
    if (response.status === 423) {
      throw new ProblemError('conflict', 'It is locked by someone else. Nothing was changed.');
    }
    if (response.status >= 500) {
      const detail = `The groupware server answered ${method} with status ${response.status}.`;
      throw new ProblemError(READS.has(method) ? 'unavailable' : 'outcome-doubtful', detail);
    }
    return response;
  };

  /** JSON in, JSON out. */
  async json(method: string, url: string, body?: object, more: object = {}): Promise<unknown> {
    const response = await this.fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        'ocs-apirequest': 'true',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw refusal(response.status, `${method} was refused`);
    const text = await response.text();
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}

function toFailure(method: string, error: unknown): ProblemError {
  const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
  if (READS.has(method) || NEVER_SENT.has(cause?.code ?? '')) {
    return new ProblemError('unavailable', 'The groupware server cannot be reached.');
  }
  return new ProblemError(
    'outcome-doubtful',
    'The groupware server went away before it answered. The change may have been made.',
  );
}

/** A refusal that keeps its status, for those who know more about the request. */
export class RefusedError extends ProblemError {
  readonly status: number;

  constructor(status: number, what: string) {
    super(codeOf(status), `${what}: the groupware server answered with status ${status}.`);
    this.status = status;
  }
}

export function refusal(status: number, what: string): RefusedError {
  return new RefusedError(status, what);
}

function codeOf(status: number): ProblemCode {
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not-found';
  if (status === 413 || status === 507) return 'payload-too-large';
  return status === 400 || status === 422 ? 'invalid-input' : 'conflict';
}
