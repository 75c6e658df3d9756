/**
 * The loopback address that a browser is sent back to after sign-in (RFC 8252). Accepts one redirect: to
 * the exact path, on this machine, with the state of this flow. Everything else is refused.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { nodeHttp } from '../../lib/builtins.ts';
import type { AddressInfo } from 'node:net';
import { isSameInConstantTime } from '../../lib/secret.ts';

interface Redirect extends AsyncDisposable {
  readonly url: string;
  /** Rejects when the person declined, or when it takes too long. */
  arrival(timeoutMs: number): Promise<Arrival>;
}

interface Arrival {
  readonly code: string;
  /** Who says that it issued the code (RFC 9207). */
  readonly issuer: string | undefined;
}

const HOST = '127.0.0.1';
const PATH = '/callback';
/** For the last page to reach the browser. */
const GRACE_MS = 500;

/** The state can be used once. */
export async function openRedirect(state: string, port = 0): Promise<Redirect> {
  let isUsed = false;
  const arrived = Promise.withResolvers<Arrival>();
  arrived.promise.catch(() => undefined); // nobody may be waiting any more

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const url = URL.parse(request.url ?? '', `http://${HOST}`);
    const isHere = request.headers.host === hostOf(server.address());
    if (request.method !== 'GET' || url?.pathname !== PATH || !isHere) {
      answer(response, 404, 'There is nothing here.');
      return;
    }
    const query = url.searchParams;
    const given = query.getAll('state');
    const isRepeated = ['code', 'iss', 'error'].some((name) => query.getAll(name).length > 1);
    const isOurs = given.length === 1 && isSameInConstantTime(given[0] ?? '', state);
    if (isUsed || isRepeated || !isOurs) {
      answer(response, 400, 'This is not the sign-in that was started. Nothing was done.');
      return;
    }
    isUsed = true;
    const code = query.get('code');
    if (code !== null && code !== '' && !query.has('error')) {
      answer(response, 200, 'The answer has arrived. You can close this page and go back.');
      arrived.resolve({ code, issuer: query.get('iss') ?? undefined });
      return;
    }
    answer(response, 400, 'The sign-in did not succeed. You can close this page and go back.');
    arrived.reject(new Error(`the sign-in was refused${reasonOf(query.get('error'))}`));
  };

  const server = nodeHttp().createServer(serve);
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(port, HOST, done);
  });
  return {
    url: `http://${hostOf(server.address())}${PATH}`,
    arrival: async (timeoutMs) => {
      const timer = setTimeout(() => {
        arrived.reject(new Error('nobody signed in; run it again'));
      }, timeoutMs);
      try {
        return await arrived.promise;
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await new Promise<void>((done) => {
        // Whoever else on this machine has connected, and says nothing, is not waited for.
        const patience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        server.close(() => {
          clearTimeout(patience);
          done();
        });
        server.closeIdleConnections();
      });
    },
  };
}

function hostOf(address: AddressInfo | string | null): string {
  return typeof address === 'object' && address !== null ? `${HOST}:${address.port}` : HOST;
}

/** Only words of the standard's form, since anybody may have written it. */
function reasonOf(error: string | null): string {
  return error !== null && /^[a-z_]{1,40}$/.test(error) ? `: ${error}` : '';
}

/** Nothing of the request is repeated, nothing runs, and nothing is kept. */
function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plimsoll</title><h1>Plimsoll</h1><p>${text}</p></html>\n`,
  );
}
