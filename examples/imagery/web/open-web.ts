/**
 * The shop's own HTTP server, for what is not an operation: share links, files, pictures, streams and
 * the office. Every refusal is problem+json. Listens on loopback and does not keep the process alive.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlimsollServer, Problem } from 'plimsoll/server';
import { ProblemError, toProblem } from 'plimsoll/server';
import { toWebDocument } from './document.ts';
import type { Endpoint, EndpointId } from './endpoints.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { Handler, WebAnswer, WebRequest } from './route.ts';
import { Refused, toJson } from './route.ts';
import { toWebRequest } from './web-request.ts';

export interface WebOptions {
  readonly handlers: Readonly<Record<EndpointId, Handler>>;
  /** Whose operations handlers may run. */
  readonly servers: readonly PlimsollServer[];
  readonly report: (message: string, cause: unknown) => void;
  /** Default: any free port. */
  readonly port?: number | undefined;
}

export interface Web extends AsyncDisposable {
  readonly url: string;
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly handle: Handler;
}

/** Addresses are secrets here: they must not be stored, and pages must not pass them on. */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export async function openWeb({ handlers, servers, report, port }: WebOptions): Promise<Web> {
  const routes: readonly Route[] = [
    { method: 'GET', pattern: /^\/openapi\.json$/, handle: async () => toJson(toWebDocument()) },
    ...Object.entries(ENDPOINTS).map(([id, endpoint]) =>
      // The keys of ENDPOINTS are its ids.
      toRoute(endpoint, handlers[id as EndpointId]),
    ),
  ];
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      report('a web request failed', error);
      response.destroy();
    });
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const url = URL.parse(incoming.url ?? '/', 'http://127.0.0.1');
    if (url === null) {
      return refuse(response, toProblem('invalid-request', 'The address cannot be read.'));
    }
    const matching = routes.filter(({ pattern }) => pattern.test(url.pathname));
    const route = matching.find(({ method }) => method === incoming.method);
    if (route === undefined) {
      const [code, detail] =
        matching.length > 0
          ? (['method-not-allowed', `${String(incoming.method)} is not served here.`] as const)
          : (['not-found', 'Nothing is served here.'] as const);
      return refuse(response, toProblem(code, detail));
    }
    const params = route.pattern.exec(url.pathname)?.groups ?? {};
    const request = toWebRequest(incoming, { url, params, signal: gone.signal, servers });
    try {
      await send(response, request, await route.handle(request));
    } catch (error) {
      if (response.headersSent) {
        // A stream whose reader left has nobody to tell.
        if (!gone.signal.aborted) report('a stream broke off', error);
        response.destroy();
      } else refuse(response, ...toRefusal(error, report));
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port ?? 0, '127.0.0.1', resolve);
  });
  server.unref();
  const address = server.address() as AddressInfo; // it listens on a port, so this is one
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

function toRoute({ method, path }: Endpoint, handle: Handler): Route {
  const source = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[\\w.-]{1,200})');
  return { method, pattern: new RegExp(`^${source}$`), handle };
}

async function send(
  response: ServerResponse,
  { signal }: WebRequest,
  { type, body, headers }: WebAnswer,
): Promise<void> {
  const all = { ...HEADERS, 'content-type': type, ...headers };
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    response.writeHead(200, { ...all, 'content-length': Buffer.byteLength(body) }).end(body);
    return;
  }
  // Until its first part is there, a stream can still be refused.
  const first = await body.next();
  response.writeHead(200, all);
  if (first.done !== true) response.write(first.value);
  for await (const part of body) {
    if (signal.aborted) return;
    if (!response.write(part)) {
      await new Promise<void>((resolve) => {
        response.once('drain', resolve);
        response.once('close', resolve);
      });
    }
  }
  response.end();
}

function toRefusal(
  error: unknown,
  report: WebOptions['report'],
): readonly [problem: Problem, challenge?: string | undefined] {
  if (error instanceof Refused) return [error.problem, error.challenge];
  if (error instanceof ProblemError) return [error.problem];
  report('a web request failed', error);
  return [toProblem('unavailable', 'The request failed; the cause is in the log of the shop.')];
}

function refuse(response: ServerResponse, problem: Problem, challenge = 'Bearer'): void {
  const { status, retryAfter } = problem;
  response.writeHead(status, {
    ...HEADERS,
    'content-type': 'application/problem+json',
    ...(status === 401 && { 'www-authenticate': challenge }),
    ...(retryAfter !== undefined && { 'retry-after': String(Math.ceil(retryAfter)) }),
  });
  response.end(JSON.stringify(problem));
}
