/** Clients over HTTP in front of a server process, through `plimsoll gate`, over connections that break. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { messageIn, post } from '../support/post.ts';
import type { HttpGate } from './gate-process.ts';
import { openHttpGate } from './gate-process.ts';

let gate: HttpGate;
let folder: string;
const open = new Set<AsyncDisposable>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-http-clients-'));
  const policy = join(folder, 'policy.yaml');
  writeFileSync(policy, 'rules:\n  - name: all\n    then: allow\n    repeats: allow\n');
  const server = [process.execPath, fileURLToPath(import.meta.resolve('./slow-server.ts'))];
  const flags = ['--policy', policy, '--ledger', 'sqlite::memory:', '--', ...server];
  gate = await openHttpGate(flags);
});

afterEach(async () => {
  for (const each of [...open].toReversed()) await each[Symbol.asyncDispose]();
  open.clear();
});

afterAll(async () => {
  await gate[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Between a client and the gate; all its connections can be cut at once. */
async function openCable(): Promise<{ readonly url: URL; readonly cut: () => number }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(gate.url.port), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.once('close', () => void (sockets.delete(from), to.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const cut = (): number => {
    const { size } = sockets;
    for (const socket of sockets) socket.destroy();
    return size;
  };
  open.add({ [Symbol.asyncDispose]: async () => void (cut(), server.close()) });
  const url = new URL(gate.url);
  url.port = String((server.address() as AddressInfo).port); // a TCP server that listens has one
  return { url, cut };
}

interface AnyClient {
  readonly name: string;
  readonly open: (url: URL) => Promise<(args: Record<string, unknown>) => Promise<unknown>>;
}

const V1: AnyClient = {
  name: 'SDK v1',
  open: async (url) => {
    const client = new ClientV1({ name: 'v1', version: '1' });
    await client.connect(new HttpV1(url));
    open.add({ [Symbol.asyncDispose]: () => client.close() });
    return (args) => client.callTool({ name: 'get_report', arguments: args });
  },
};

const V2: AnyClient = {
  name: 'SDK v2',
  open: async (url) => {
    const client = new Client(
      { name: 'v2', version: '1' },
      { versionNegotiation: { mode: 'legacy' } },
    );
    await client.connect(new StreamableHTTPClientTransport(url));
    open.add({ [Symbol.asyncDispose]: () => client.close() });
    return (args) => client.callTool({ name: 'get_report', arguments: args });
  },
};

async function begin(version: string): Promise<Record<string, string>> {
  const params = {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const hello = await post(gate.url.href, body);
  const session = { 'mcp-session-id': String(hello.headers['mcp-session-id']) };
  const done = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  expect((await post(gate.url.href, done, session)).status).toBe(202);
  return session;
}

function toCall(id: number | string, args: Record<string, unknown>, name = 'get_report'): string {
  const params = { name, arguments: args };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

describe('through the gate to a server process', () => {
  it.each([V1, V2])('$name gets its result after its connections were cut', async (client) => {
    const { url, cut } = await openCable();
    const call = await client.open(url);
    const before = JSON.stringify(await call({}));
    const result = call({ ms: 1500 });
    await sleep(500);
    expect(cut()).toBeGreaterThan(0);
    const text = JSON.stringify(await result);
    // The server ran it once.
    expect(before).toContain(String.raw`\"count\":1`);
    expect(text).toContain(String.raw`\"count\":2`);
  });

  it('every log line of a call reaches its client', async () => {
    const client = new ClientV1({ name: 'v1', version: '1' });
    const lines: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      lines.push(params.data);
    });
    await client.connect(new HttpV1(gate.url));
    open.add({ [Symbol.asyncDispose]: () => client.close() });
    await client.callTool({ name: 'get_report', arguments: { lines: 300 } });
    await expect.poll(() => lines.length).toBe(300);
    expect(lines.at(-1)).toBe('line 299');
  });

  it.each(['2025-03-26', '2025-11-25'])(
    'an unknown tool is an answer with status 200, %s',
    async (version) => {
      const answer = await post(gate.url.href, toCall(1, {}, 'none'), await begin(version));
      expect([answer.status, messageIn(answer)]).toMatchObject([
        200,
        { id: 1, error: { code: -32_602 } },
      ]);
    },
  );

  it('a batch of calls is answered whole', async () => {
    const session = await begin('2025-03-26');
    const note = '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}';
    const batch = `[${toCall('a', { ms: 50 })},${note},${toCall('b', {})}]`;
    const accept = 'application/json';
    const { status, text } = await post(gate.url.href, batch, { ...session, accept });
    expect(status).toBe(200);
    const answers = JSON.parse(text) as readonly { id: string; result: unknown }[];
    expect(answers.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
  });

  it.each(['2025-06-18', '2026-07-28'])(
    'clients that hang up do not count as a server that is down, %s',
    async (version) => {
      const isModern = version === '2026-07-28';
      const names = { 'mcp-method': 'tools/call', 'mcp-name': 'get_report' };
      const headers = {
        'content-type': 'application/json',
        'mcp-protocol-version': version,
        ...(isModern ? names : await begin(version)),
      };
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const body = (id: number, ms: number): string => {
        const params = { name: 'get_report', arguments: { ms }, ...(isModern && { _meta }) };
        return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
      };
      for (let id = 1; id <= 12; id += 1) {
        const outgoing = request(gate.url, { method: 'POST', headers });
        outgoing.on('error', () => {});
        outgoing.end(body(id, 300));
        await sleep(40);
        outgoing.destroy();
      }
      const answer = await post(gate.url.href, body(99, 0), headers);
      expect([answer.status, messageIn(answer)]).toMatchObject([200, { id: 99 }]);
      expect(answer.text).toContain('pid');
      expect(answer.text).not.toContain('isError');
    },
  );

  it('a session that is deleted ends its server process', async () => {
    const session = await begin('2025-11-25');
    const { text } = await post(gate.url.href, toCall(1, {}), session);
    const pid = Number(/pid\\":(\d+)/.exec(text)?.[1]);
    expect(process.kill(pid, 0)).toBe(true);
    expect((await post(gate.url.href, '', session, 'DELETE')).status).toBe(200);
    await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
    expect((await post(gate.url.href, toCall(2, {}), session)).status).toBe(404);
    expect((await post(gate.url.href, '', session, 'GET')).status).toBe(404);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
