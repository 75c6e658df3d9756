/**
 * The 2025 revisions over HTTP: in a session for clients that initialise one, and one request at a
 * time for those that do not, such as a bare curl.
 */
import type { AuthInfo, McpServer } from '@modelcontextprotocol/server';
import {
  isInitializeRequest,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Identity } from '../../invoke/identity.ts';
import { toProblem } from '../../lib/problem.ts';
import { toAuthInfo } from './auth-info.ts';
import { toRpcErrorResponse } from './http-problem.ts';
import type { SessionOptions } from './legacy-sessions.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { asksForTools } from './rpc-body.ts';

/** A request whose body and caller are known. */
interface Inbound {
  readonly identity: Identity;
  readonly parsedBody: unknown;
  readonly authInfo?: AuthInfo;
}

export interface LegacyEndpoint extends AsyncDisposable {
  readonly post: (request: Request, inbound: Inbound) => Promise<Response>;
  /** GET opens a session's stream, DELETE ends it; neither is anything without a session. */
  readonly getOrDelete: (request: Request, identity: Identity) => Promise<Response>;
}

export function openLegacyEndpoint(
  build: () => McpServer,
  options: SessionOptions,
): LegacyEndpoint {
  const sessions = new LegacySessions(build, options);
  const once = legacyStatelessFallback(build);

  async function post(request: Request, inbound: Inbound): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const transport = sessions.find(id, inbound.identity);
      return transport?.handleRequest(request, inbound) ?? noSuchSession();
    }
    if (!isInitializeRequest(inbound.parsedBody)) {
      const lenient = takingAnything(request);
      return asksForTools(inbound.parsedBody)
        ? serveList(build(), lenient, inbound)
        : once(lenient, inbound);
    }
    return sessions.isFull
      ? toRpcErrorResponse(toProblem('unavailable', 'Too many sessions are open.'))
      : sessions.open(request, inbound.identity, inbound);
  }

  async function getOrDelete(request: Request, identity: Identity): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      const problem = toProblem('method-not-allowed', 'Send a POST with one JSON-RPC message.');
      const response = toRpcErrorResponse(problem);
      response.headers.set('allow', 'POST');
      return response;
    }
    const transport = sessions.find(id, identity);
    return transport?.handleRequest(request, toAuthInfo(identity)) ?? noSuchSession();
  }

  return { post, getOrDelete, [Symbol.asyncDispose]: () => sessions[Symbol.asyncDispose]() };
}

/** A list comes as plain JSON, which people can pipe; nothing is said before it that JSON would lose. */
async function serveList(
  instance: McpServer,
  request: Request,
  inbound: Inbound,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await instance.connect(transport);
  try {
    return await transport.handleRequest(request, inbound);
  } finally {
    await instance.close();
  }
}

/** The SDK insists on both media types; who takes anything takes both. */
function takingAnything(request: Request): Request {
  const accept = request.headers.get('accept');
  if (accept !== null && accept.trim() !== '*/*') return request;
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

function noSuchSession(): Response {
  return toRpcErrorResponse(toProblem('not-found', 'There is no such session; initialize again.'));
}
