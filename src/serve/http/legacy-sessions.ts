/**
 * Sessions of the 2025 revisions, which need one connected instance between requests so that the
 * server can ask its client something. Each belongs to who opened it, and idle ones are closed.
 */
import { randomUUID } from 'node:crypto';
import type { AuthInfo, EventStore, McpServer } from '@modelcontextprotocol/server';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Identity } from '../../invoke/identity.ts';

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

export class LegacySessions implements AsyncDisposable {
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
