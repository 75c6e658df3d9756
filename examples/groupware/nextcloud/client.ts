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

const READS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'PROPFIND',
  'REPORT',
  'SEARCH',
  'OPTIONS',
]);
/** Says itself that nothing was stored. */
const NO_SPACE = 507;
const MOST_BYTES = 100_000_000;
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
    const headers = toHeaders(init.headers);
    headers.set('authorization', this.#authorization);
    const method = init.method ?? 'GET';
    const signal = AbortSignal.timeout(this.#patienceMs);
    let response: Response;
    try {
      // Read here, so that an answer that breaks off is a failure like one that never comes.
      response = await readWhole(
        await fetch(url, { ...init, headers, signal, redirect: 'manual' }),
      );
    } catch (error) {
      if (error instanceof ProblemError) throw error;
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
    if (response.status >= 500 && response.status !== NO_SPACE) {
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
    try {
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    } catch {
      const detail = `The groupware server answered ${method} with something that is not JSON.`;
      throw new ProblemError(READS.has(method) ? 'unavailable' : 'outcome-doubtful', detail);
    }
  }
}

/** Values that a caller chose, such as an etag or a type, may not be ones that headers can have. */
function toHeaders(init: RequestInit['headers']): Headers {
  try {
    return new Headers(init);
  } catch {
    const detail = 'An etag or a type has characters that it cannot have. Nothing was changed.';
    throw new ProblemError('invalid-input', detail);
  }
}

async function readWhole(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      const detail = `The answer of the groupware server is larger than ${MOST_BYTES} bytes.`;
      throw new ProblemError('payload-too-large', detail);
    }
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
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
  if (status === 413 || status === NO_SPACE) return 'payload-too-large';
  return status === 400 || status === 422 ? 'invalid-input' : 'conflict';
}
