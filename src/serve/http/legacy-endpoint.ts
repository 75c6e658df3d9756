/**
 * The 2025 revisions over HTTP: in a session for clients that initialise one, and one request at a
 * time for those that do not, such as a bare curl.
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

/** A request whose body and caller are known. */
interface Inbound {
  readonly identity: Identity;
  readonly parsedBody: unknown;
  readonly authInfo?: AuthInfo;
}

interface LegacyEndpoint extends AsyncDisposable {
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

/**
 * Sessions of the 2025 revisions, which need one connected instance between requests so that the
 * server can ask its client something. Each belongs to who opened it, and idle ones are closed.
 */
interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: string;
  lastUsed: number;
}

/** Lets a client that lost its connection come back for what it missed. */
export interface Resumption {
  /** Called once for each session, so that none can ask for another's messages. */
  readonly createEventStore: () => EventStore;
  /** How long clients are asked to wait before they come back. */
  readonly retryMs?: number;
}

export interface SessionOptions {
  readonly idleMs: number;
  readonly limit: number;
  readonly resumption?: Resumption;
}

class LegacySessions implements AsyncDisposable {
  readonly #build: () => McpServer;
  readonly #options: SessionOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(build: () => McpServer, options: SessionOptions) {
    this.#build = build;
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(options.idleMs, 60_000));
    this.#sweeper.unref();
  }

  get isFull(): boolean {
    return this.#sessions.size >= this.#options.limit;
  }

  /** Another's session is not there, as far as this caller can tell. */
  find(id: string, identity: Identity): WebStandardStreamableHTTPServerTransport | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== ownerOf(identity)) return undefined;
    session.lastUsed = Date.now();
    return session.transport;
  }

  /** Opens a session for an `initialize` request and answers it. */
  async open(
    request: Request,
    identity: Identity,
    options: { readonly parsedBody: unknown; readonly authInfo?: AuthInfo },
  ): Promise<Response> {
    const { resumption } = this.#options;
    const transport = new WebStandardStreamableHTTPServerTransport({
      ...(resumption !== undefined && { eventStore: resumption.createEventStore() }),
      ...(resumption?.retryMs !== undefined && { retryInterval: resumption.retryMs }),
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, owner: ownerOf(identity), lastUsed: Date.now() });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await this.#build().connect(transport);
    return transport.handleRequest(request, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeper);
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(open.map(({ transport }) => transport.close()));
  }

  #sweep(): void {
    const oldest = Date.now() - this.#options.idleMs;
    for (const [id, { transport, lastUsed }] of this.#sessions) {
      if (lastUsed >= oldest) continue;
      this.#sessions.delete(id);
      void transport.close();
    }
  }
}

function ownerOf(identity: Identity): string {
  return identity.kind === 'known'
    ? JSON.stringify([identity.principal.tenant ?? '', identity.principal.id])
    : '';
}
