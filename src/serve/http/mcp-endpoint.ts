/**
 * The MCP endpoint over streamable HTTP: 2026-07-28 without state, the 2025 revisions with sessions
 * or, for a client that never initialised (a bare curl), one request at a time.
 */
import type { AuthInfo, ServerContext, ServerEventBus } from '@modelcontextprotocol/server';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { missingScopes } from '../../effect/scope.ts';
import type { Identity } from '../../invoke/identity.ts';
import { ANONYMOUS } from '../../invoke/identity.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { PlimsollServer } from '../create-server.ts';
import { toMcpServer } from '../to-mcp-server.ts';
import { bearerOf } from './bearer.ts';
import { toRpcErrorResponse } from './http-problem.ts';
import type { SessionOptions } from './legacy-sessions.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { readJson } from './read-json.ts';

export interface McpEndpointOptions {
  readonly bodyLimit: number;
  readonly sessions: SessionOptions;
  readonly changes?: ServerEventBus;
}

export interface McpEndpoint extends AsyncDisposable {
  readonly fetch: (request: Request) => Promise<Response>;
}

interface Inbound {
  readonly identity: Identity;
  readonly parsedBody: unknown;
  readonly authInfo?: AuthInfo;
}

export function openMcpEndpoint(server: PlimsollServer, options: McpEndpointOptions): McpEndpoint {
  const build = () => toMcpServer(server, 'mcp-http', identityOf);
  const modern = createMcpHandler(build, {
    legacy: 'reject',
    ...(options.changes !== undefined && { bus: options.changes }),
  });
  const sessions = new LegacySessions(build, options.sessions);

  async function serveLegacy(request: Request, inbound: Inbound): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const transport = sessions.find(id, inbound.identity);
      return transport === undefined
        ? toRpcErrorResponse(toProblem('not-found', 'There is no such session; initialize again.'))
        : transport.handleRequest(request, inbound);
    }
    if (isInitializeRequest(inbound.parsedBody)) {
      return sessions.isFull
        ? toRpcErrorResponse(toProblem('unavailable', 'Too many sessions are open.'))
        : sessions.open(request, inbound.identity, inbound);
    }
    return serveOnce(request, inbound);
  }

  /** One instance for one request; a list comes as plain JSON, which people can pipe. */
  async function serveOnce(request: Request, inbound: Inbound): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: asksForTools(inbound.parsedBody),
    });
    await build().connect(transport);
    return transport.handleRequest(takingAnything(request), inbound);
  }

  async function servePost(request: Request): Promise<Response> {
    const body = await readJson(request, options.bodyLimit);
    if (body.kind === 'problem') return toRpcErrorResponse(body.problem);
    const identity = await server.identify(bearerOf(request.headers));
    const challenge = challengeOf(server, identity, body.value);
    if (challenge !== undefined) return toRpcErrorResponse(challenge, idOf(body.value));
    const inbound: Inbound = {
      identity,
      parsedBody: body.value,
      ...(identity.kind === 'known' && { authInfo: toAuthInfo(identity) }),
    };
    const response = (await isLegacyRequest(request, body.value))
      ? await serveLegacy(request, inbound)
      : await modern.fetch(request, inbound);
    return asksForTools(body.value) ? fillIn(server, response) : response;
  }

  return {
    fetch: async (request) => {
      if (request.method === 'POST') return servePost(request);
      const identity = await server.identify(bearerOf(request.headers));
      const id = request.headers.get('mcp-session-id');
      const transport = id === null ? undefined : sessions.find(id, identity);
      if (transport !== undefined) {
        const response = await transport.handleRequest(request, {
          ...(identity.kind === 'known' && { authInfo: toAuthInfo(identity) }),
        });
        return request.headers.has('last-event-id') ? fillInEvents(server, response) : response;
      }
      const problem =
        id === null
          ? toProblem('method-not-allowed', 'Send a POST with one JSON-RPC message.')
          : toProblem('not-found', 'There is no such session; initialize again.');
      const response = toRpcErrorResponse(problem);
      if (id === null) response.headers.set('allow', 'POST');
      return response;
    },
    [Symbol.asyncDispose]: async () => {
      await modern.close();
      await sessions[Symbol.asyncDispose]();
    },
  };
}

/**
 * A bad token, or none where one is needed, is answered with HTTP 401 so that clients begin their
 * sign-in. Everything else is judged in the pipeline, which judges this again.
 */
function challengeOf(
  server: PlimsollServer,
  identity: Identity,
  body: unknown,
): Problem | undefined {
  if (identity.kind === 'refused') return identity.problem;
  if (identity.kind === 'known') return undefined;
  const name = calledTool(body);
  const scopes = (name === undefined ? undefined : server.operations.get(name)?.scopes) ?? [];
  const missing = missingScopes(scopes, []);
  if (missing.length === 0) return undefined;
  return toProblem('unauthenticated', `${name} needs a sign-in with ${missing.join(' ')}.`, {
    missing,
  });
}

const IDENTITY = 'identity';

function toAuthInfo(identity: Identity & { readonly kind: 'known' }): AuthInfo {
  const { id, scopes } = identity.principal;
  // The token has done its work; nothing behind this point has a use for it.
  return { token: '', clientId: id, scopes: [...scopes], extra: { [IDENTITY]: identity } };
}

function identityOf(context: ServerContext): Identity {
  const identity = context.http?.authInfo?.extra?.[IDENTITY];
  return identity === undefined ? ANONYMOUS : (identity as Identity); // only toAuthInfo writes it
}

async function fillIn(server: PlimsollServer, response: Response): Promise<Response> {
  const body = server.toolLists.fillIn(await response.text());
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(body, { status: response.status, headers });
}

/** A list may be among what a client comes back for. The SDK writes each event as one chunk. */
function fillInEvents(server: PlimsollServer, response: Response): Response {
  const events = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(event, controller) {
        controller.enqueue(server.toolLists.fillIn(Buffer.from(event).toString('utf8')));
      },
    }),
  );
  return new Response(events ?? null, { status: response.status, headers: response.headers });
}

/** The SDK insists on both media types; who takes anything takes both. */
function takingAnything(request: Request): Request {
  const accept = request.headers.get('accept');
  if (accept !== null && accept.trim() !== '*/*') return request;
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

interface RpcMessage {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: { readonly name?: unknown };
}

function messagesIn(body: unknown): readonly RpcMessage[] {
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  return list.filter((item): item is RpcMessage => typeof item === 'object' && item !== null);
}

function asksForTools(body: unknown): boolean {
  return messagesIn(body).some(({ method }) => method === 'tools/list');
}

function calledTool(body: unknown): string | undefined {
  const call = messagesIn(body).find(({ method }) => method === 'tools/call');
  return typeof call?.params?.name === 'string' ? call.params.name : undefined;
}

function idOf(body: unknown): string | number | null {
  const id = messagesIn(body)[0]?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
