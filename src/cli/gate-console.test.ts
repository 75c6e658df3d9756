import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { visitConsole } from '../../scripts/start/console-visitor.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GATE = join(ROOT, 'bin/plimsoll');
const MEMORY = join(ROOT, 'node_modules/.bin/mcp-server-memory');

let folder: string;
let mcp: URL;
let link: URL;
let stop: () => Promise<void>;
let said = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  const places = ['--http', '127.0.0.1:0', '--ledger', `sqlite:${join(folder, 'ledger.sqlite')}`];
  const server = [
    '--pass-env',
    'MEMORY_FILE_PATH',
    '--',
    process.execPath,
    MEMORY,
    '--api-key',
    'hunter2',
  ];
  const gate = spawn(GATE, ['gate', '--console', '127.0.0.1:0', ...places, ...server], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      MEMORY_FILE_PATH: join(folder, 'memory.json'),
      XDG_STATE_HOME: folder,
    },
  });
  gate.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(gate, 'exit');
  stop = async () => {
    gate.kill();
    await ended;
  };
  const isUp = (): boolean => /http\S+\/mcp/.test(said) && /http\S+\/enter/.test(said);
  await vi.waitUntil(isUp, { timeout: 20_000 });
  mcp = new URL(/http\S+\/mcp/.exec(said)?.[0] ?? '');
  link = new URL(/http\S+\/enter\S+/.exec(said)?.[0] ?? '');
});

afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

async function signIn(): Promise<string> {
  const body = new URLSearchParams({ token: link.searchParams.get('token') ?? '' });
  const { origin } = link;
  const headers = { origin };
  const init = { method: 'POST', headers, body };
  const entered = await visitConsole(new URL('/enter', origin), init);
  return entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

describe('the console of a gate', () => {
  it("is out of reach from the agent's side", async () => {
    for (const path of ['/', '/api/approvals', '/enter', '/api/events', '/assets/console.js']) {
      for (const method of ['GET', 'POST']) {
        const { status } = await fetch(new URL(path, mcp), { method });
        expect([path, method, status]).toEqual([path, method, 404]);
      }
    }
    expect((await visitConsole(new URL('/mcp', link))).status).toBe(401);
  });

  it('sees the servers as the gate does, without what is secret', async () => {
    const cookie = await signIn();
    const read = async (): Promise<unknown> =>
      (await visitConsole(new URL('/api/servers', link), { headers: { cookie } })).json();
    expect(await read()).toMatchObject({ servers: [{ name: 'server', state: 'unused' }] });
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(mcp));
    const { tools } = await client.listTools();
    const seen = await read();
    expect(seen).toMatchObject({
      servers: [{ state: 'up', era: 'legacy', trusted: false, mode: 'live' }],
    });
    const [{ tools: listed } = { tools: [] }] = (
      seen as { readonly servers: readonly { readonly tools: readonly { name: string }[] }[] }
    ).servers;
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(JSON.stringify(seen)).not.toContain('hunter2');
    const call = client.callTool({ name: 'delete_entities', arguments: { entityNames: ['x'] } });
    await expect
      .poll(() => said)
      .toContain(`is waiting for a person: open ${link.origin}/approvals/`);
    await client.close();
    await call.catch(() => {});
  });

  it('is not opened where others could reach it', async () => {
    const flags = ['--console', '0.0.0.0:0', '--ledger', 'sqlite::memory:', '--', 'true'];
    const gate = spawn(GATE, ['gate', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    gate.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
    const [code] = await once(gate, 'close');
    expect(text).toContain('other machines could reach');
    expect(code).toBe(2);
  });
});
