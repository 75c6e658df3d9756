/**
 * The MCP endpoint over streamable HTTP: identifies the caller and the protocol era, and hands over.
 * What happens to a call is decided in the pipeline.
 */
import type { ServerContext, ServerEventBus } from '@modelcontextprotocol/server';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { Identity } from '../../invoke/identity.ts';
import { ANONYMOUS } from '../../invoke/identity.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { PlimsollServer } from '../create-server.ts';
import { toMcpServer } from '../to-mcp-server.ts';
import { fillIn, fillInEvents } from '../tool-lists.ts';
import { bearerOf, toAuthInfo, IDENTITY } from './guard.ts';
import { toRpcErrorResponse } from './http-problem.ts';
import type { SessionOptions } from './legacy-endpoint.ts';
import { openLegacyEndpoint } from './legacy-endpoint.ts';
import { asksForTools, calledTool, idOf, messagesIn, readJson } from './read-json.ts';

interface McpEndpointOptions {
  readonly bodyLimit: number;
  readonly sessions: SessionOptions;
  readonly changes?: ServerEventBus;
}

interface McpEndpoint extends AsyncDisposable {
  /** `onCall` is called if the request turns out to be a call. */
  readonly fetch: (request: Request, onCall?: () => void) => Promise<Response>;
}

export function openMcpEndpoint(server: PlimsollServer, options: McpEndpointOptions): McpEndpoint {
  const build = () => toMcpServer(server, 'mcp-http', fromAuthInfo);
  const modern = createMcpHandler(build, {
    legacy: 'reject',
    ...(options.changes !== undefined && { bus: options.changes }),
  });
  const legacy = openLegacyEndpoint(build, options.sessions);

  async function servePost(request: Request, onCall?: () => void): Promise<Response> {
    const body = await readJson(request, options.bodyLimit);
    if (body.kind === 'problem') return toRpcErrorResponse(body.problem);
    if (calledTool(body.value) !== undefined) onCall?.();
    const identity = await server.identify(bearerOf(request.headers.get('authorization')));
    const challenge = challengeOf(server, identity, body.value);
    if (challenge !== undefined) {
      await recordRefused(server, challenge, body.value, request.signal);
      return toRpcErrorResponse(challenge, idOf(body.value));
    }
    const inbound = { identity, parsedBody: body.value, ...toAuthInfo(identity) };
    const response = (await isLegacyRequest(request, body.value))
      ? await legacy.post(request, inbound)
      : await modern.fetch(request, inbound);
    if (asksForTools(body.value)) return fillIn(server.toolLists, response);
    // The answer of a call that was allowed is its caller's; other streams go on for ever.
    return calledTool(body.value) === undefined ? untilExpiry(response, identity) : response;
  }

  async function serveOther(request: Request): Promise<Response> {
    const identity = await server.identify(bearerOf(request.headers.get('authorization')));
    if (identity.kind === 'refused') return toRpcErrorResponse(identity.problem);
    const response = untilExpiry(await legacy.getOrDelete(request, identity), identity);
    // A resumed stream may contain a list.
    const isResumed = request.headers.has('last-event-id');
    return isResumed ? fillInEvents(server.toolLists, response) : response;
  }

  return {
    fetch: (request, onCall) =>
      request.method === 'POST' ? servePost(request, onCall) : serveOther(request),
    [Symbol.asyncDispose]: async () => {
      await modern.close();
      await legacy[Symbol.asyncDispose]();
    },
  };
}

/**
 * An invalid token, or none where one is required, is answered with HTTP 401 so that clients start to
 * sign in. Everything else is checked in the pipeline, which also checks this again.
 */
function challengeOf(
  server: PlimsollServer,
  identity: Identity,
  body: unknown,
): Problem | undefined {
  if (identity.kind === 'refused') return identity.problem;
  if (identity.kind === 'known') return undefined;
  const name = calledTool(body);
  const missing = (name === undefined ? undefined : server.operations.get(name)?.scopes) ?? [];
  if (missing.length === 0) return undefined;
  const detail = `${name} requires signing in with ${missing.join(' ')}.`;
  const remedy = 'Send a token as `Authorization: Bearer …`.';
  return toProblem('unauthenticated', detail, { missing, remedy });
}

/** Sends the calls of a request that is answered with 401 into the pipeline, where they are refused. */
async function recordRefused(
  server: PlimsollServer,
  problem: Problem,
  body: unknown,
  signal: AbortSignal,
): Promise<void> {
  for (const { method, params } of messagesIn(body)) {
    const operation = server.operations.get(String(params?.name));
    if (method !== 'tools/call' || operation === undefined) continue;
    await server.invoke({
      operation,
      args: params?.arguments,
      identity: { kind: 'refused', problem },
      via: 'mcp-http',
      signal,
      progress: async () => {},
    });
  }
}

function fromAuthInfo({ http }: ServerContext): Identity {
  const identity = http?.authInfo?.extra?.[IDENTITY];
  return identity === undefined ? ANONYMOUS : (identity as Identity); // only toAuthInfo writes it
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Ends a stream when the token that opened it expires; whoever still may listen opens another. */
export function untilExpiry(response: Response, identity: Identity): Response {
  const expiresAt = identity.kind === 'known' ? identity.principal.expiresAt : undefined;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (expiresAt === undefined || response.body === null || !isStream) return response;
  const { status, headers } = response;
  return new Response(endingAt(response.body, expiresAt * 1000), { status, headers });
}

function endingAt(body: ReadableStream<Uint8Array>, at: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const ms = Math.min(Math.max(at - Date.now(), 0), LONGEST_TIMER_MS);
      timer = setTimeout(() => {
        isOver = true;
        controller.close();
        reader.cancel().catch(() => {});
      }, ms).unref();
    },
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        // The stream that is made of it fails too, and can no longer be closed.
        clearTimeout(timer);
        throw error;
      });
      if (isOver) return;
      if (!done) {
        controller.enqueue(value);
        return;
      }
      clearTimeout(timer);
      controller.close();
    },
    async cancel(reason) {
      isOver = true;
      clearTimeout(timer);
      await reader.cancel(reason);
    },
  });
}
