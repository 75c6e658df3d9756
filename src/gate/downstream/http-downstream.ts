/**
 * Clients over streamable HTTP in front of channels: checks where a request comes from and who sent
 * it, reads it strictly, finds its protocol era, and hands it over.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { nodeHttp } from '../../lib/builtins.ts';
import type { AddressInfo } from 'node:net';
import type { Principal } from '../../effect/operation.ts';
import type { Authenticate } from '../../invoke/identity.ts';
import { announceReports } from '../../lib/announce-reports.ts';
import { toProblem } from '../../lib/problem.ts';
import { createGuard, LOOPBACK_NAMES } from '../../serve/http/guard.ts';
import { checkMedia } from '../../serve/http/read-json.ts';
import type { Channel } from '../protocol/channel.ts';
import { toRefusalFrame } from '../protocol/frame.ts';
import type { Caller } from '../protocol/frame.ts';
import type { RefusedMessage } from '../protocol/read-frame.ts';
import { CLIENT_MESSAGE_LIMIT, refuseTooLong } from '../protocol/read-frame.ts';
import { readMessages } from '../protocol/read-messages.ts';
import { isModern } from './check-envelope.ts';
import type { Inbound } from './http-request.ts';
import { identifyRequest, readBody } from './http-request.ts';
import { LegacyDownstream } from './legacy-downstream.ts';
import { ModernDownstream } from './modern-downstream.ts';
import { readAccept, refuse } from './reply.ts';

export interface HttpDownstream extends AsyncDisposable {
  readonly url: string;
  readonly mcpUrl: string;
}

const IDLE_MS = 30 * 60_000;
/** Each may be a process of its own. */
const SESSION_LIMIT = 40;
const SESSIONS_PER_CALLER = 10;
const REPLAY_BYTES = 4 * 1024 * 1024;
const GRACE_MS = 10_000;
/** Longer than clients keep a connection, so that it is they who close it. */
const KEEP_ALIVE_MS = 75_000;

/** Listens; resolves once the address is known. */
export async function openHttpDownstream(given: HttpDownstreamOptions): Promise<HttpDownstream> {
  const options = { ...given, report: announceReports(given.report) };
  const { host = '127.0.0.1', port = 0, path = '/mcp' } = options;
  const hostName = host.includes(':') ? `[${host}]` : host;
  checkOpenness(options, hostName);
  const sessions = {
    idleMs: options.sessionIdleMs ?? IDLE_MS,
    limit: options.sessionLimit ?? SESSION_LIMIT,
    ownerLimit: options.sessionsPerCaller ?? SESSIONS_PER_CALLER,
    replayBytes: options.replayBytes ?? REPLAY_BYTES,
    graceMs: options.graceMs ?? GRACE_MS,
    report: options.report,
  };
  const refused = options.refused ?? (() => {});
  const modern = new ModernDownstream(options.openSession, { ...sessions, refused });
  const legacy = new LegacyDownstream(options.openSession, { ...sessions, refused });
  const serve = createHandler(options, path, hostName, modern, legacy);
  const server = nodeHttp().createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      serve(request, response).catch((error: unknown) => {
        if (response.destroyed) return;
        options.report('a request could not be served', error);
        refuse(response, toProblem('unavailable', 'The request could not be served.'));
      });
    },
  );
  const url = `http://${hostName}:${await listen(server, host, port)}`;
  return {
    url,
    mcpUrl: url + path,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await Promise.all([modern[Symbol.asyncDispose](), legacy[Symbol.asyncDispose]()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

function createHandler(
  options: HttpDownstreamOptions,
  path: string,
  hostName: string,
  modern: ModernDownstream,
  legacy: LegacyDownstream,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const names = [...LOOPBACK_NAMES, hostName];
  const {
    allowedHosts = names,
    allowedOrigins = names,
    bodyLimit = CLIENT_MESSAGE_LIMIT,
  } = options;
  const guard = createGuard({ allowedHosts, allowedOrigins });

  return async (request, response) => {
    const problem = guard(request.headers.host, request.headers.origin);
    if (problem !== undefined) {
      refuse(response, problem);
      return;
    }
    if (pathOf(request) !== path) {
      if (options.routes?.(request, response) === true) return;
      const remedy = `Send MCP requests to ${path}.`;
      refuse(response, toProblem('not-found', 'Nothing is served at this path.', { remedy }));
      return;
    }
    const identified = await identifyRequest(request, options);
    if (identified.kind === 'refused') {
      refuse(response, identified.problem);
      return;
    }
    const inbound = { request, response, principal: identified.principal };
    if (request.method === 'POST') await post(inbound);
    else if (request.method === 'GET') legacy.get(inbound);
    else if (request.method === 'DELETE') await legacy.delete(inbound);
    else {
      response.setHeader('allow', 'POST, GET, DELETE');
      refuse(response, toProblem('method-not-allowed', 'Send a POST with one JSON-RPC message.'));
    }
  };

  async function post(inbound: Inbound): Promise<void> {
    const { request, response, principal } = inbound;
    const media = checkMedia(request.headers['content-type'], request.headers['content-encoding']);
    if (media !== undefined) {
      refuse(response, media);
      return;
    }
    const { json, events } = readAccept(request.headers.accept);
    if (!json && !events) {
      const detail = 'Answers are sent as application/json or text/event-stream.';
      refuse(response, toProblem('not-acceptable', detail));
      return;
    }
    const body = await readBody(request, bodyLimit);
    // Which conversation it belongs to is known once it was read.
    const caller: Caller = { principal, session: '', via: 'mcp-http' };
    if (!Buffer.isBuffer(body)) {
      const { problem, id, calls } = refuseTooLong(body, bodyLimit);
      options.refused?.({ caller, problem, calls });
      response.setHeader('connection', 'close');
      refuse(response, problem, id);
      return;
    }
    const messages = readMessages(body, caller, bodyLimit);
    if (messages.kind === 'refused') {
      const { problem, id, isResponse, calls } = messages;
      if (!isResponse) {
        options.refused?.({ caller, problem, calls });
        refuse(response, problem, id);
      } else await legacy.post(inbound, { kind: 'one', frame: toRefusalFrame(id, problem) });
    } else if (messages.kind === 'one' && isModern(messages.frame.message, request.headers)) {
      await modern.post(inbound, messages.frame);
    } else await legacy.post(inbound, messages);
  }
}

/** Whoever reaches the address would be let in. */
class OpenAddressError extends Error {
  override readonly name = 'OpenAddressError';
}

function checkOpenness({ authenticate, principal }: HttpDownstreamOptions, hostName: string): void {
  if (authenticate !== undefined) return;
  if (principal === undefined) throw new Error('Without tokens the gate needs a principal.');
  if (LOOPBACK_NAMES.includes(hostName)) return;
  throw new OpenAddressError(
    `without tokens the gate serves this machine only, and others can reach ${hostName}; listen on 127.0.0.1, or name tokens under http in the configuration`,
  );
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return (server.address() as AddressInfo).port; // a TCP server that listens has one
}

/** For whom a channel is opened: a session of the 2025 revisions, or a principal of 2026-07-28. */
export interface DownstreamCaller {
  readonly principal: Principal;
  readonly session: string;
  readonly era: 'modern' | 'legacy';
}

export interface HttpDownstreamOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: any free one. */
  readonly port?: number;
  /** Default: `/mcp`. */
  readonly path?: string;
  readonly authenticate?: Authenticate;
  /** Who callers are when there is no `authenticate`; only on this machine. */
  readonly principal?: Principal;
  readonly openSession: (caller: DownstreamCaller) => Channel | Promise<Channel>;
  /** Bytes. Default: 4 MiB. */
  readonly bodyLimit?: number;
  /** Host names without port. Default: this machine's. */
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** How long an unused channel is kept. Default: half an hour. */
  readonly sessionIdleMs?: number;
  /** Default: 40. */
  readonly sessionLimit?: number;
  /** Default: 10. */
  readonly sessionsPerCaller?: number;
  /** Bytes kept in each 2025 session for clients that lost their connection. Default: 4 MiB. */
  readonly replayBytes?: number;
  /** How long a client that lost its connection is expected back. Default: ten seconds. */
  readonly graceMs?: number;
  /** Told of messages that are refused here, so that calls among them are recorded. */
  readonly refused?: (message: RefusedMessage) => void;
  /** Other paths; tells whether it took the request. */
  readonly routes?: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly report: (message: string, cause: unknown) => void;
}
