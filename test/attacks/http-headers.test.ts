/** HTTP on both sides: an express server must see the message that the gate decided on, and no other. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  Server,
  ServerResponse,
} from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { expect } from 'vitest';
import type { HttpGate } from '../gate/gate-process.ts';
import { openHttpGate, receiptsIn } from '../gate/gate-process.ts';
import type { Answered } from '../support/post.ts';
import { post } from '../support/post.ts';
import { attack } from './attack.ts';

interface Received {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

interface ExpressApp extends RequestListener {
  all(path: string, serve: (request: Requested, response: ServerResponse) => void): void;
}

/** As express hands it over: the body was read by its own parser. */
type Requested = IncomingMessage & { readonly body?: Received['body'] };

const REGION = { type: 'string', 'x-mcp-header': 'Region' };
const TOOLS = ['Gets', 'Deletes'].map((verb) => ({
  name: `${verb.slice(0, -1).toLowerCase()}_note`,
  description: `${verb} a note.`,
  inputSchema: { type: 'object', properties: { id: { type: 'string' }, region: REGION } },
}));

/** A gate over HTTP in front of an express server that answers everything and records what it was sent. */
class HttpVictim implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'plimsoll-attack-'));
  #server: Server | undefined;
  #gate: HttpGate | undefined;
  #session: Readonly<Record<string, string>> = {};

  static async open(): Promise<HttpVictim> {
    const victim = new HttpVictim();
    await victim.#open();
    return victim;
  }

  get ledger(): string {
    return `sqlite:${join(this.#folder, 'ledger.sqlite')}`;
  }

  async #open(): Promise<void> {
    const app = createMcpExpressApp() as unknown as ExpressApp; // its types are not installed
    app.all('/mcp', (request: Requested, response: ServerResponse) => {
      const { method = '', headers, body = {} } = request;
      this.received.push({ method, headers, body });
      const { id } = body;
      if (id === undefined) response.writeHead(method === 'GET' ? 405 : 202).end();
      else {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: toResult(body) }));
      }
    });
    const server = createServer(app);
    this.#server = server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const policy = join(this.#folder, 'policy.yaml');
    writeFileSync(policy, 'asking:\n  holdSeconds: 0\n');
    const url = `http://127.0.0.1:${port}/mcp`;
    this.#gate = await openHttpGate(['--url', url, '--ledger', this.ledger, '--policy', policy], {
      XDG_STATE_HOME: join(this.#folder, 'state'),
    });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
    const hello = await this.post({ id: 1, method: 'initialize', params });
    this.#session = { 'mcp-session-id': String(hello.headers['mcp-session-id']) };
    await this.post({ method: 'notifications/initialized' });
  }

  /** In the session of 2025, unless headers say otherwise. */
  post(message: object, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    return this.send(JSON.stringify({ jsonrpc: '2.0', ...message }), headers);
  }

  send(
    body: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'POST',
  ): Promise<Answered> {
    const accept = { accept: 'application/json, text/event-stream' };
    const url = String(this.#gate?.url);
    return post(url, body, { ...accept, ...this.#session, ...headers }, method);
  }

  /** The tools that the server was made to run. */
  ran(): readonly unknown[] {
    const calls = this.received.filter(({ body }) => body['method'] === 'tools/call');
    return calls.map(({ body }) => (body['params'] as { name?: unknown }).name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gate?.[Symbol.asyncDispose]();
    this.#server?.closeAllConnections();
    this.#server?.close();
    rmSync(this.#folder, { recursive: true });
  }
}

const CLIENT = { name: 'attacker', version: '1' };

function toResult({ method, params }: Received['body']): object {
  const version = '2025-11-25';
  if (method === 'tools/list') return { tools: TOOLS };
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'done' }] };
  if (method !== 'initialize') return {};
  const { protocolVersion = version } = (params ?? {}) as { protocolVersion?: string };
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'v', version: '1' } };
}

const READ = { id: 7, method: 'tools/call', params: { name: 'get_note', arguments: { id: '1' } } };

/** To a reader of UTF-7 the second name is the one that counts. */
const UTF7 =
  '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"get_note","x":"+ACIALAAi-name+ACIAOgAi-delete_note"}}';

attack(
  'a misled agent',
  'has the gate read UTF-8 and the server UTF-7, and deletes as a read',
  async () => {
    await using victim = await HttpVictim.open();
    for (const type of [
      'application/json; charset=utf-7',
      'application/json;charset="UTF-16LE"',
      'application/json; charset=utf-8; charset=utf-7',
    ]) {
      expect((await victim.send(UTF7, { 'content-type': type })).status).toBe(415);
    }
    expect((await victim.send(UTF7, { 'content-encoding': 'gzip' })).status).toBe(415);
    await victim.send(UTF7, { 'content-type': 'application/json; charset=UTF-8' });
    expect(victim.ran()).not.toContain('delete_note');
    const types = victim.received
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => [headers['content-type'], headers['content-encoding']]);
    expect(new Set(types.map(String))).toEqual(new Set(['application/json,']));
  },
);

attack(
  'a misled agent',
  'names another method, tool or argument in headers than in the body',
  async () => {
    await using victim = await HttpVictim.open();
    await victim.post(READ);
    const count = victim.ran().length;
    for (const headers of [
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': 'delete_note' },
      { 'mcp-method': 'tools/call', 'mcp-name': 'delete_note' },
      { 'mcp-param-region': 'eu' },
    ]) {
      expect((await victim.post({ ...READ, id: 9 }, headers)).text).toContain('repeat');
    }
    expect(victim.ran()).toHaveLength(count);
    const spelled = { name: 'get_note', arguments: { region: 'eu' } };
    const headers = { 'mcp-param-region': 'eu', 'mcp-param-else': 'x', 'x-tool': 'delete_note' };
    const { text } = await victim.post({ ...READ, id: 10, params: spelled }, headers);
    expect(text).toContain('done');
    const names = Object.keys(victim.received.at(-1)?.headers ?? {});
    expect(names.filter((name) => /^(?:x-|mcp-(?:param|name|method))/.test(name))).toEqual([]);
    const outcomes = (await receiptsIn(victim.ledger)).map(({ outcome }) => outcome);
    expect(outcomes).toContain('invalid-request');
  },
);

attack('a misled agent', 'calls a tool with a method that nobody looks at', async () => {
  await using victim = await HttpVictim.open();
  const call = JSON.stringify({ jsonrpc: '2.0', ...READ, params: { name: 'delete_note' } });
  for (const method of ['PUT', 'PATCH', 'OPTIONS', 'PROPFIND', 'QUERY']) {
    const length = { 'content-length': String(call.length) };
    const answer = await victim.send(call, length, method);
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST, GET, DELETE']);
  }
  expect(victim.received.map(({ method }) => method)).not.toContain('PUT');
  expect(victim.ran()).toEqual([]);
});

attack(
  'a web page on this machine',
  'reaches the gate under a name that only looks allowed',
  async () => {
    await using victim = await HttpVictim.open();
    await victim.post(READ);
    const count = victim.ran().length;
    for (const host of ['evil.example', 'evil@127.0.0.1', '127.0.0.1/evil', '127.0.0.1#evil']) {
      expect((await victim.post({ ...READ, id: 11 }, { host })).status).toBe(403);
    }
    expect(victim.ran()).toHaveLength(count);
  },
);
