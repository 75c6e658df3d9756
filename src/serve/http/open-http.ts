/** A server over HTTP: the MCP endpoint, `POST /op/{name}` and the OpenAPI document, guarded. */
import { serve } from '@hono/node-server';
import type { ServerEventBus } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { toProblem } from '../../lib/problem.ts';
import type { PlimsollServer } from '../create-server.ts';
import { sweepServer } from '../create-server.ts';
import { trackCalls } from '../track-calls.ts';
import { guard, LOOPBACK_NAMES } from './guard.ts';
import { toProblemResponse } from './http-problem.ts';
import type { Resumption } from './legacy-endpoint.ts';
import { openMcpEndpoint } from './mcp-endpoint.ts';
import { toOpenApi } from './openapi.ts';
import { serveOperation } from './operation-endpoint.ts';

export interface HttpOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Host names, without port, that requests may use. Default: this machine's. */
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** Bytes. Default: 4 MiB. */
  readonly bodyLimit?: number;
  /** How long an unused session of the 2025 revisions is kept. Default: half an hour. */
  readonly sessionIdleMs?: number;
  readonly sessionLimit?: number;
  /** How long calls that run may take when the server is closed. Default: 10 seconds. */
  readonly graceMs?: number;
  /** Where changes of prompts and resources are announced to 2026-07-28 subscribers. */
  readonly changes?: ServerEventBus;
  /** For sessions of the 2025 revisions. Default: off, since it stores every message that is sent. */
  readonly resumption?: Resumption;
}

export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  readonly mcpUrl: string;
}

export interface HttpApp extends AsyncDisposable {
  /** `env` is what `@hono/node-server` passes; with it, closing waits until answers have left. */
  readonly fetch: (request: Request, env?: Bindings) => Response | Promise<Response>;
}

interface Bindings {
  readonly outgoing?: { once(event: 'close', listener: () => void): unknown };
}

/** The application without a socket, for any runtime with the fetch API. */
export function openHttpApp(opened: PlimsollServer, options: HttpOptions = {}): HttpApp {
  const calls = trackCalls(opened, options.graceMs);
  const { server } = calls;
  const expectAnswer = (env: Bindings | undefined): void => {
    const outgoing = env?.outgoing;
    if (outgoing === undefined) return;
    calls.expectAnswer(outgoing);
    outgoing.once('close', () => calls.answered(outgoing));
  };
  const bodyLimit = options.bodyLimit ?? 4 * 1024 * 1024;
  const endpoint = openMcpEndpoint(server, {
    bodyLimit,
    sessions: {
      idleMs: options.sessionIdleMs ?? 30 * 60_000,
      limit: options.sessionLimit ?? 1000,
      report: server.report,
      ...(options.resumption !== undefined && { resumption: options.resumption }),
    },
    ...(options.changes !== undefined && { changes: options.changes }),
  });
  const openApi = JSON.stringify(toOpenApi(server));
  const app = new Hono<{ Bindings: Bindings }>();
  app.use(
    guard({
      allowedHosts: options.allowedHosts ?? LOOPBACK_NAMES,
      allowedOrigins: options.allowedOrigins ?? LOOPBACK_NAMES,
    }),
  );
  app.all(server.mcpPath, ({ req, env }) => endpoint.fetch(req.raw, () => expectAnswer(env)));
  app.post('/op/:name', ({ req, env }) => {
    expectAnswer(env);
    return serveOperation(server, req.param('name'), req.raw, bodyLimit);
  });
  app.all('/op/:name', () => {
    const response = toProblemResponse(toProblem('method-not-allowed', 'Operations require POST.'));
    response.headers.set('allow', 'POST');
    return response;
  });
  app.get('/openapi.json', () => {
    return new Response(openApi, { headers: { 'content-type': 'application/json' } });
  });
  app.notFound(({ req }) =>
    toProblemResponse(
      toProblem('not-found', `Nothing is served at ${req.path.slice(0, 200)}.`, {
        remedy: `Send MCP requests to ${server.mcpPath}; GET /openapi.json lists the operations.`,
      }),
    ),
  );
  app.onError((error) => {
    server.report('http', error);
    return toProblemResponse(
      toProblem('internal-error', 'The request failed.', {
        remedy: 'Ask the operator of the server; the log has the cause.',
      }),
    );
  });
  return {
    fetch: (request, env) => app.fetch(request, env),
    [Symbol.asyncDispose]: async () => {
      await calls.drain();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

/** Listens; resolves once the address is known. */
export async function openHttp(
  server: PlimsollServer,
  options: HttpOptions = {},
): Promise<HttpServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  const app = openHttpApp(server, options);
  const sweeper = sweepServer(server);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const node = serve({ fetch: app.fetch, hostname: host, port }, (info) => resolve(info.port));
  node.once('error', reject);
  const actual = await promise.catch(async (error: unknown) => {
    await sweeper[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    throw error;
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
  return {
    url,
    mcpUrl: url + server.mcpPath,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((done) => {
        node.close(() => done());
      });
      await app[Symbol.asyncDispose]();
      await sweeper[Symbol.asyncDispose]();
      if ('closeAllConnections' in node) node.closeAllConnections();
      await closed;
    },
  };
}
