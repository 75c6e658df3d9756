/** A session of hostile clients over real HTTP: odd headers, methods and sessions around odd messages. */
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import { openHttpDownstream } from '../../src/gate/downstream/http-downstream.ts';
import type { Channel } from '../../src/gate/protocol/channel.ts';
import type { Chance } from './chance.ts';
import { toClientLine } from './client-lines.ts';
import type { Seen } from './client-messages.ts';
import { HostileServer } from './hostile-server.ts';

export interface HttpFuzz {
  readonly chance: Chance;
  readonly messages: number;
  /** The real gate in front of a server. */
  readonly open: (server: HostileServer) => Channel;
  readonly wrong: (bytes: Uint8Array, why: string) => void;
  /** Something that should not have been thrown. */
  readonly threw: (where: string, error: unknown) => void;
  /** Before each message. */
  readonly sent: () => void;
}

const AT_ONCE = 16;
/** A server may never answer; the client leaves. */
const PATIENCE_MS = 40;

export async function fuzzHttp(fuzz: HttpFuzz): Promise<void> {
  const { chance, messages } = fuzz;
  const servers: HostileServer[] = [];
  const downstream = await openHttpDownstream({
    principal: { id: 'f', scopes: [] },
    openSession: () => {
      const server = new HostileServer(chance, fuzz.wrong);
      servers.push(server);
      return fuzz.open(server);
    },
    graceMs: 5,
    report: (message, cause) => {
      // A client that leaves in the middle of its request is no fault of ours.
      if (!String(cause).includes('broke off')) fuzz.threw(message, cause);
    },
  });
  const seen: Seen = { states: [], ids: [], isModern: chance.oneIn(2) };
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const known: string[] = [];
  for (let sent = 0; sent < messages; sent += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, messages - sent) }, () => {
      fuzz.sent();
      return exchange(downstream.mcpUrl, agent, chance, seen, known);
    });
    const pump = setInterval(() => servers.forEach((server) => server.turn()), 1);
    await Promise.all(batch);
    clearInterval(pump);
  }
  agent.destroy();
  const ended = downstream[Symbol.asyncDispose]();
  const settle = setInterval(() => servers.forEach((server) => server.settle()), 1);
  await ended;
  clearInterval(settle);
}

function exchange(
  url: string,
  agent: Agent,
  chance: Chance,
  seen: Seen,
  known: string[],
): Promise<void> {
  const line = toClientLine(chance, seen);
  const method = chance.oneIn(30)
    ? chance.pick(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND', 'HEAD'])
    : 'POST';
  const headers = toHeaders(chance, line, known);
  return new Promise((resolve) => {
    const outgoing = request(url, { method, headers, agent });
    const timer = setTimeout(() => outgoing.destroy(), PATIENCE_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    outgoing.once('error', end).once('close', end);
    outgoing.once('response', (response: IncomingMessage) => {
      const id = response.headers['mcp-session-id'];
      if (typeof id === 'string') known.splice(0, known.length - 4, id);
      response.on('error', end).once('end', end).resume();
    });
    outgoing.end(line);
  });
}

const TYPES = [
  'application/json; charset=utf-7',
  'application/json; charset=utf-16',
  'application/json; charset="UTF-8"',
  'text/plain',
  'application/json, text/plain',
  '',
];

function toHeaders(chance: Chance, line: Buffer, known: readonly string[]): Record<string, string> {
  const text = line.toString('latin1');
  const method = /"method":"([\w/]+)"/.exec(text)?.[1] ?? 'tools/call';
  const name = /"name":"(\w+)"/.exec(text)?.[1] ?? 'get_note';
  const isModern = text.includes('2026-07-28') !== chance.oneIn(10);
  return {
    'content-type': chance.oneIn(12) ? chance.pick(TYPES) : 'application/json',
    'content-length': String(line.length),
    accept: chance.oneIn(12)
      ? chance.pick(['*/*', 'text/html', 'application/json', 'text/event-stream', ''])
      : 'application/json, text/event-stream',
    ...(isModern && {
      'mcp-protocol-version': chance.oneIn(12) ? 'x' : '2026-07-28',
      'mcp-method': chance.oneIn(12) ? 'tools/list' : method,
      'mcp-name': chance.oneIn(12) ? 'wipe_all' : name,
    }),
    ...(!isModern && known.length > 0 && { 'mcp-session-id': chance.pick(known) }),
    ...(chance.oneIn(20) && { 'mcp-session-id': chance.pick(['', 'x', '__proto__']) }),
    ...(chance.oneIn(20) && { 'content-encoding': chance.pick(['gzip', 'identity', 'br, gzip']) }),
    ...(chance.oneIn(20) && { 'mcp-param-id': chance.pick(['1', '=?base64?*?=', '']) }),
    ...(chance.oneIn(40) && { origin: chance.pick(['null', 'http://evil.test', 'x']) }),
    ...(chance.oneIn(40) && { host: chance.pick(['evil.test', '127.0.0.1', '[::1]']) }),
    ...(chance.oneIn(20) && { 'last-event-id': chance.pick(['1', '0_1', '__proto__']) }),
    ...(chance.oneIn(20) && { 'idempotency-key': chance.pick(['"x"', 'k'.repeat(20), '""']) }),
  };
}
