/**
 * The 2025 revisions in front of channels: a session with a channel of its own for clients that
 * initialise one, and one that lasts for a single request for those that do not, such as a bare curl.
 */
import { randomUUID } from 'node:crypto';
import { toProblem } from '../../lib/problem.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { isId, isRequest } from '../protocol/frame.ts';
import { ClientSession } from './client-session.ts';
import type { HttpDownstreamOptions } from './http-downstream.ts';
import type { Inbound, Messages } from './http-request.ts';
import { accept, ownerOf, toCaller } from './http-request.ts';
import type { LineTableOptions } from './session-table.ts';
import { LineTable } from './session-table.ts';
import { refuse, Reply } from './reply.ts';

type Read = Exclude<Messages, { readonly kind: 'refused' }>;

export class LegacyDownstream implements AsyncDisposable {
  readonly #openSession: HttpDownstreamOptions['openSession'];
  readonly #sessions: LineTable<ClientSession>;

  constructor(openSession: HttpDownstreamOptions['openSession'], options: LineTableOptions) {
    this.#openSession = openSession;
    this.#sessions = new LineTable(options);
  }

  async post(inbound: Inbound, messages: Read): Promise<void> {
    const id = sessionIdOf(inbound);
    if (id !== undefined) {
      const session = this.#find(id, inbound);
      if (session !== undefined) serveIn(session, id, inbound, messages);
    } else if (messages.kind === 'batch') refuseBatch(inbound);
    else await this.#postAlone(inbound, messages.frame);
  }

  /** One stream for what is not about a request. */
  get(inbound: Inbound): void {
    const { request, response } = inbound;
    const id = sessionIdOf(inbound);
    if (id === undefined) {
      refuseMethod(inbound);
      return;
    }
    this.#find(id, inbound)?.openStream(new Reply(request, response, () => {}));
  }

  async delete(inbound: Inbound): Promise<void> {
    const id = sessionIdOf(inbound);
    if (id === undefined) {
      refuseMethod(inbound);
      return;
    }
    if (this.#find(id, inbound) === undefined) return;
    await this.#sessions.close(id);
    inbound.response.writeHead(200, { 'content-length': 0 });
    inbound.response.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sessions[Symbol.asyncDispose]();
  }

  #find(id: string, { response, principal }: Inbound): ClientSession | undefined {
    const session = this.#sessions.find(id, ownerOf(principal));
    if (session === undefined) {
      refuse(response, toProblem('not-found', 'There is no such session; initialize again.'));
    }
    return session;
  }

  async #postAlone(inbound: Inbound, frame: Frame): Promise<void> {
    const { response } = inbound;
    const { id, method } = frame.message;
    if (!isRequest(frame) || !isId(id)) accept(response);
    else if (this.#sessions.isFull) {
      refuse(response, toProblem('unavailable', 'Too many sessions are open.'), id);
    } else if (method === 'initialize') await this.#initialize(inbound, frame, id);
    else await this.#serveOnce(inbound, frame, id);
  }

  async #initialize(inbound: Inbound, frame: Frame, id: RpcId): Promise<void> {
    const { request, response, principal } = inbound;
    const key = randomUUID();
    const session = await this.#open(inbound, key, (opened) => {
      // A server that refuses to begin leaves nothing to come back to.
      if (!opened.hasBegun) void this.#sessions.close(key);
    });
    const reply = new Reply(request, response, () => {}, { 'mcp-session-id': key });
    session.request({ ...frame, caller: toCaller(principal, key, request.headers) }, id, reply);
  }

  /** Without a session there is nobody to come back, so a client that leaves has cancelled. */
  async #serveOnce(inbound: Inbound, frame: Frame, id: RpcId): Promise<void> {
    const { request, response, principal } = inbound;
    const key = randomUUID();
    const session = await this.#open(inbound, key, () => void this.#sessions.close(key));
    const caller = toCaller(principal, key, request.headers);
    const leave = (): void => {
      session.cancel(id, caller);
      void this.#sessions.close(key);
    };
    session.request({ ...frame, caller }, id, new Reply(request, response, leave));
  }

  /** `settled` is called whenever nobody waits for an answer any longer. */
  #open(
    { principal }: Inbound,
    key: string,
    settled: (session: ClientSession) => void,
  ): Promise<ClientSession> {
    return this.#sessions.add(key, ownerOf(principal), async () => {
      const channel = await this.#openSession({ principal, session: key, era: 'legacy' });
      const closed = (): void => this.#sessions.forget(key, session);
      const session: ClientSession = new ClientSession(channel, closed, () => settled(session));
      return session;
    });
  }
}

function serveIn(session: ClientSession, key: string, inbound: Inbound, messages: Read): void {
  const { request, response, principal } = inbound;
  if (messages.kind === 'batch' && !session.takesBatches) {
    refuseBatch(inbound);
    return;
  }
  const caller = toCaller(principal, key, request.headers);
  const isBatched = messages.kind === 'batch';
  const frames = messages.kind === 'batch' ? messages.frames : [messages.frame];
  const used = frames.find(({ message: { id, method } }) => {
    return method !== undefined && isId(id) && session.isWaitingFor(id);
  });
  if (used !== undefined) {
    refuse(response, toProblem('invalid-request', 'A request with this id is under way.'));
    return;
  }
  const reply = frames.some(isRequest) ? new Reply(request, response, () => {}) : undefined;
  for (const frame of frames) {
    const { id } = frame.message;
    if (reply !== undefined && isRequest(frame) && isId(id)) {
      session.request({ ...frame, caller }, id, reply, isBatched);
    } else session.pass({ ...frame, caller });
  }
  if (reply === undefined) accept(response);
}

function sessionIdOf({ request }: Inbound): string | undefined {
  const id = request.headers['mcp-session-id'];
  return typeof id === 'string' ? id : undefined;
}

function refuseBatch({ response }: Inbound): void {
  refuse(response, toProblem('invalid-request', 'Send one message in each request.'));
}

function refuseMethod({ response }: Inbound): void {
  response.setHeader('allow', 'POST');
  refuse(response, toProblem('method-not-allowed', 'Send a POST with one JSON-RPC message.'));
}
