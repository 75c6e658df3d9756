/**
 * The 2025 revisions in front of channels: a session with a channel of its own for clients that
 * initialise one, and one that lasts for a single POST for those that do not, such as a bare curl.
 */
import { randomUUID } from 'node:crypto';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { SessionTableOptions } from '../../serve/http/session-table.ts';
import { NEW_SESSION, ownerOf, SessionTable } from '../../serve/http/session-table.ts';
import { LEGACY_VERSIONS } from '../protocol/envelope.ts';
import type { RpcId } from '../protocol/frame.ts';
import { isId, isRequest } from '../protocol/frame.ts';
import { toCalledTools } from '../protocol/read-frame.ts';
import type { Messages } from '../protocol/read-messages.ts';
import { hasBatches, ID_IN_USE, NO_BATCH } from '../protocol/read-messages.ts';
import { checkStray, toFaultProblem } from './check-envelope.ts';
import { ClientSession } from './client-session.ts';
import type { HttpDownstreamOptions } from './http-downstream.ts';
import type { Inbound } from './http-request.ts';
import { accept, toCaller, toPrincipalSession } from './http-request.ts';
import { readAccept, refuse } from './reply.ts';
import type { SessionStreamsOptions } from './session-streams.ts';

type Options = SessionStreamsOptions & Required<Pick<HttpDownstreamOptions, 'refused'>>;

type Read = Exclude<Messages, { readonly kind: 'refused' }>;

const START_OVER =
  'Open the stream again without Last-Event-ID, and read again what the missed messages were about.';

/** Taken for the revision of requests that name none. */
const DEFAULT_VERSION = '2025-03-26';

export class LegacyDownstream implements AsyncDisposable {
  readonly #openSession: HttpDownstreamOptions['openSession'];
  readonly #options: Options;
  readonly #sessions: SessionTable<ClientSession>;

  constructor(
    openSession: HttpDownstreamOptions['openSession'],
    options: SessionTableOptions & Options,
  ) {
    this.#openSession = openSession;
    this.#options = options;
    this.#sessions = new SessionTable(options);
  }

  async post(inbound: Inbound, messages: Read): Promise<void> {
    const key = sessionIdOf(inbound);
    const stray = findStray(inbound, messages);
    if (stray !== undefined) this.#refuse(inbound, key ?? '', messages, stray);
    else if (key === undefined) await this.#postAlone(inbound, messages);
    else {
      const session = this.#find(key, inbound);
      const problem =
        session instanceof ClientSession ? serveIn(session, key, inbound, messages) : session;
      if (problem !== undefined) this.#refuse(inbound, key, messages, problem);
    }
  }

  get(inbound: Inbound): void {
    const { request, response } = inbound;
    const key = sessionIdOf(inbound);
    if (key === undefined) {
      refuseMethod(inbound);
      return;
    }
    const session = this.#find(key, inbound);
    if (!(session instanceof ClientSession)) refuse(response, session);
    else if (!readAccept(request.headers.accept).events) {
      refuse(response, toProblem('not-acceptable', 'A stream is sent as text/event-stream only.'));
    } else if (!session.get(inbound)) {
      const detail = 'Last-Event-ID names no event that is still kept.';
      refuse(response, toProblem('invalid-request', detail, { remedy: START_OVER }));
    }
  }

  async delete(inbound: Inbound): Promise<void> {
    const key = sessionIdOf(inbound);
    if (key === undefined) {
      refuseMethod(inbound);
      return;
    }
    const session = this.#find(key, inbound);
    if (!(session instanceof ClientSession)) {
      refuse(inbound.response, session);
      return;
    }
    await this.#sessions.close(key);
    inbound.response.writeHead(200, { 'content-length': 0 });
    inbound.response.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sessions[Symbol.asyncDispose]();
  }

  #find(key: string, inbound: Inbound): ClientSession | Problem {
    const session = this.#sessions.find(key, ownerOf(inbound.principal));
    if (session === undefined) {
      return toProblem('not-found', 'There is no such session; initialize again.', {
        remedy: NEW_SESSION,
      });
    }
    return checkVersion(inbound, session.version) ?? session;
  }

  async #postAlone(inbound: Inbound, messages: Read): Promise<void> {
    const { response } = inbound;
    const { frames, isBatch } = framesIn(messages);
    const isInitialize = !isBatch && frames[0]?.message.method === 'initialize';
    const problem = isInitialize ? undefined : checkAlone(inbound, messages);
    if (problem !== undefined) this.#refuse(inbound, '', messages, problem);
    else if (!frames.some(isRequest)) accept(response);
    else {
      const full = this.#sessions.findRoom(ownerOf(inbound.principal));
      if (full !== undefined) this.#refuse(inbound, '', messages, full);
      else await this.#open(inbound, messages, isInitialize);
    }
  }

  /** Calls among the messages never reach a gate, and are recorded all the same. */
  #refuse(inbound: Inbound, key: string, messages: Read, problem: Problem): void {
    const { request, response, principal } = inbound;
    const { frames, isBatch } = framesIn(messages);
    const calls = toCalledTools(frames.map(({ message }) => message));
    const caller = toCaller(principal, key, request.headers);
    if (calls.length > 0) this.#options.refused({ caller, problem, calls });
    refuse(response, problem, isBatch ? null : frames[0]?.message.id);
  }

  async #open(inbound: Inbound, messages: Read, isInitialize: boolean): Promise<void> {
    const { principal } = inbound;
    const key = randomUUID();
    // Whoever sends no session id must find the yes to an earlier call again.
    const name = isInitialize ? key : toPrincipalSession(principal);
    const session = await this.#sessions.add(key, ownerOf(principal), async () => {
      const channel = await this.#openSession({ principal, session: name, era: 'legacy' });
      const opened: ClientSession = new ClientSession(channel, this.#options, {
        closed: () => this.#sessions.forget(key, opened),
        settled: () => {
          // Without a session, or with one that the server refused, nothing more will follow.
          if (opened.version === undefined) void this.#sessions.close(key);
        },
      });
      return opened;
    });
    const headers = isInitialize ? { 'mcp-session-id': key } : {};
    session.post(inbound, { ...framesOf(inbound, name, messages), headers });
  }
}

/** A header that repeats something else than the message says. */
function findStray({ request }: Inbound, messages: Read): Problem | undefined {
  for (const { message } of framesIn(messages).frames) {
    const fault = checkStray(message, request.headers);
    if (fault !== undefined) return toFaultProblem(fault);
  }
  return undefined;
}

/** Gives the reason where it is not served. */
function serveIn(
  session: ClientSession,
  key: string,
  inbound: Inbound,
  messages: Read,
): Problem | undefined {
  const post = framesOf(inbound, key, messages);
  const problem =
    post.isBatch && !session.takesBatches
      ? NO_BATCH
      : (checkIds(messages, (id) => session.isWaitingFor(id)) ?? checkBegun(messages));
  if (problem === undefined && !session.post(inbound, post)) accept(inbound.response);
  return problem;
}

function checkAlone(inbound: Inbound, messages: Read): Problem | undefined {
  const problem = checkVersion(inbound, undefined);
  if (problem !== undefined || messages.kind === 'one') return problem;
  const version = inbound.request.headers['mcp-protocol-version'] ?? DEFAULT_VERSION;
  if (!hasBatches(String(version))) return NO_BATCH;
  return checkIds(messages, () => false) ?? checkBegun(messages);
}

function checkVersion({ request }: Inbound, agreed: string | undefined): Problem | undefined {
  const version = request.headers['mcp-protocol-version'];
  if (typeof version !== 'string' || version === agreed) return undefined;
  if (LEGACY_VERSIONS.includes(version)) return undefined;
  const detail = `MCP-Protocol-Version is not one of ${LEGACY_VERSIONS.join(', ')}.`;
  const remedy = 'Send the version that initialize agreed on, or leave the header out.';
  return toProblem('invalid-request', detail, { remedy });
}

function checkIds(messages: Read, isInUse: (id: RpcId) => boolean): Problem | undefined {
  const seen = new Set<RpcId>();
  for (const frame of framesIn(messages).frames) {
    const { id } = frame.message;
    if (!isRequest(frame) || !isId(id)) continue;
    if (seen.has(id) || isInUse(id)) return ID_IN_USE;
    seen.add(id);
  }
  return undefined;
}

function checkBegun(messages: Read): Problem | undefined {
  const { frames } = framesIn(messages);
  if (!frames.some(({ message }) => message.method === 'initialize')) return undefined;
  const detail = 'initialize has to come alone, and once for each session.';
  return toProblem('invalid-request', detail, {
    remedy: 'Send initialize alone, and once for each session.',
  });
}

function framesIn(
  messages: Read,
): Pick<Parameters<ClientSession['post']>[1], 'frames' | 'isBatch'> {
  if (messages.kind === 'batch') return { frames: messages.frames, isBatch: true };
  return { frames: [messages.frame], isBatch: false };
}

function framesOf(
  { request, principal }: Inbound,
  session: string,
  messages: Read,
): Parameters<ClientSession['post']>[1] {
  const caller = toCaller(principal, session, request.headers);
  const { frames, isBatch } = framesIn(messages);
  return { frames: frames.map((frame) => ({ ...frame, caller })), isBatch };
}

function sessionIdOf({ request }: Inbound): string | undefined {
  const id = request.headers['mcp-session-id'];
  return typeof id === 'string' ? id : undefined;
}

function refuseMethod({ response }: Inbound): void {
  response.setHeader('allow', 'POST');
  refuse(response, toProblem('method-not-allowed', 'Send a POST with one JSON-RPC message.'));
}
