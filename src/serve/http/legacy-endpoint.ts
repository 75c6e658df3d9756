/**
 * The 2025 revisions over HTTP: in a session for clients that initialize one, and one request at a time
 * for those that do not, such as a bare curl.
 */
import { randomUUID } from 'node:crypto';
import type { AuthInfo, EventStore, McpServer } from '@modelcontextprotocol/server';
import {
  WebStandardStreamableHTTPServerTransport,
  isInitializeRequest,
  legacyStatelessFallback,
} from '@modelcontextprotocol/server';
import type { Identity } from '../../invoke/identity.ts';
import { toProblem } from '../../lib/problem.ts';
import { toRpcErrorResponse } from './http-problem.ts';
import { asksForTools } from './read-json.ts';
import { toAuthInfo } from './guard.ts';
import type { SessionTableOptions } from './session-table.ts';
import { NEW_SESSION, ownerOf, SessionTable } from './session-table.ts';

/** A request whose body and caller are known. */
interface Inbound {
  readonly identity: Identity;
  readonly parsedBody: unknown;
  readonly authInfo?: AuthInfo;
}

interface LegacyEndpoint extends AsyncDisposable {
  readonly post: (request: Request, inbound: Inbound) => Promise<Response>;
  /** GET opens a session's stream, DELETE ends it; both require a session. */
  readonly getOrDelete: (request: Request, identity: Identity) => Promise<Response>;
}

export function openLegacyEndpoint(
  build: () => McpServer,
  options: SessionOptions,
): LegacyEndpoint {
  const sessions = new SessionTable<Session>(options);
  const once = legacyStatelessFallback(build);

  async function initialize(request: Request, inbound: Inbound): Promise<Response> {
    const key = randomUUID();
    const session = new Session(key, options, () => sessions.forget(key, session));
    await build().connect(session.transport);
    await sessions.add(key, ownerIn(inbound.identity), async () => session);
    const response = await session.handle(request, inbound);
    // A refused request has not opened a session.
    if (session.transport.sessionId === undefined) await sessions.close(key);
    return response;
  }

  async function post(request: Request, inbound: Inbound): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = sessions.find(id, ownerIn(inbound.identity));
      return session?.handle(request, inbound) ?? noSuchSession();
    }
    if (!isInitializeRequest(inbound.parsedBody)) {
      const lenient = takingAnything(request);
      return asksForTools(inbound.parsedBody)
        ? serveList(build(), lenient, inbound)
        : once(lenient, inbound);
    }
    const problem = sessions.findRoom(ownerIn(inbound.identity));
    return problem === undefined ? initialize(request, inbound) : toRpcErrorResponse(problem);
  }

  async function getOrDelete(request: Request, identity: Identity): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      const problem = toProblem('method-not-allowed', 'Send a POST with one JSON-RPC message.');
      const response = toRpcErrorResponse(problem);
      response.headers.set('allow', 'POST');
      return response;
    }
    const session = sessions.find(id, ownerIn(identity));
    return session?.handle(request, toAuthInfo(identity)) ?? noSuchSession();
  }

  return { post, getOrDelete, [Symbol.asyncDispose]: () => sessions[Symbol.asyncDispose]() };
}

/** A list is sent as plain JSON, which people can pipe; no message precedes it that JSON would lose. */
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

/** The SDK requires both media types; a client that accepts anything accepts both. */
function takingAnything(request: Request): Request {
  const accept = request.headers.get('accept');
  if (accept !== null && accept.trim() !== '*/*') return request;
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

function noSuchSession(): Response {
  return toRpcErrorResponse(
    toProblem('not-found', 'No such session; initialize again.', { remedy: NEW_SESSION }),
  );
}

/** Lets a client that lost its connection resume and get what it missed. */
export interface Resumption {
  /** Called once per session, so that none can request another's messages. */
  readonly createEventStore: () => EventStore;
  /** How long clients are asked to wait before reconnecting. */
  readonly retryMs?: number;
}

export interface SessionOptions extends SessionTableOptions {
  readonly resumption?: Resumption;
}

type Handled = NonNullable<
  Parameters<WebStandardStreamableHTTPServerTransport['handleRequest']>[1]
>;

/** One connected instance between requests, so that the server can ask its client something. */
class Session implements AsyncDisposable {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests whose answer, or whose stream, has not ended. */
  #open = 0;

  constructor(key: string, { resumption }: SessionOptions, closed: () => void) {
    this.transport = new WebStandardStreamableHTTPServerTransport({
      ...(resumption !== undefined && { eventStore: resumption.createEventStore() }),
      ...(resumption?.retryMs !== undefined && { retryInterval: resumption.retryMs }),
      sessionIdGenerator: () => key,
      onsessionclosed: closed,
    });
  }

  get isBusy(): boolean {
    return this.#open > 0;
  }

  async handle(request: Request, handled: Handled): Promise<Response> {
    this.#open += 1;
    const end = (): void => void (this.#open -= 1);
    let response: Response | undefined;
    try {
      response = await this.transport.handleRequest(request, handled);
    } finally {
      if (!response?.body) end();
    }
    const { body, status, headers } = response;
    // One of the two is called once: also when the client goes away, and when the stream fails.
    const followed = body?.pipeThrough(new TransformStream({ flush: end, cancel: end }));
    return followed === undefined ? response : new Response(followed, { status, headers });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.transport.close();
  }
}

function ownerIn(identity: Identity): string {
  return ownerOf(identity.kind === 'known' ? identity.principal : undefined);
}
