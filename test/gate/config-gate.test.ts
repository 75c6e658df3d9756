/** `plimsoll gate --config` as a process, in front of a published server and one that cannot start. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_LOCK, toLockText } from '../../src/gate/tools/lock.ts';
import { openStore } from '../../src/ledger/open-ledger.ts';
import { PLIMSOLL } from './gate-process.ts';

const require = createRequire(import.meta.url);
const MEMORY = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');
const BROKEN = { command: 'no-such-command-anywhere' };

let folder: string;
const open: Client[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-config-'));
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
  rmSync(folder, { recursive: true });
});

function start(mcpServers: object, policy: object = {}): { client: Client; opened: Promise<void> } {
  const file = join(folder, 'plimsoll.yaml');
  writeFileSync(file, JSON.stringify({ mcpServers, policy }));
  const ledger = `sqlite:${join(folder, 'ledger.sqlite')}`;
  const lock = join(folder, 'lock.json');
  writeFileSync(lock, toLockText(EMPTY_LOCK));
  const args = ['gate', '--config', file, '--ledger', ledger, '--lock', lock];
  const client = new Client({ name: 'test-client', version: '1' });
  open.push(client);
  const transport = new StdioClientTransport({ command: PLIMSOLL, args, stderr: 'ignore' });
  return { client, opened: client.connect(transport) };
}

describe('a gate in front of the servers of a configuration', () => {
  const env = (): object => ({ MEMORY_FILE_PATH: join(folder, 'memory.json') });

  it('says its version, and answers a call from the cache like the first one', async () => {
    const memory = { command: process.execPath, args: [MEMORY], env: env() };
    const policy = { caches: [{ tool: 'read_graph', seconds: 60 }] };
    const { client, opened } = start({ my_memory: memory, broken: BROKEN }, policy);
    await opened;
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(client.getServerVersion()).toEqual({ name: 'plimsoll', version });
    const call = { name: 'my_memory__read_graph', arguments: {} };
    const first = await client.callTool(call, undefined, { timeout: 10_000 });
    writeFileSync(join(folder, 'memory.json'), 'not what was cached');
    const second = await client.callTool(call, undefined, { timeout: 10_000 });
    expect(second['content']).toEqual(first['content']);
  });

  it('leaves a receipt also for calls that no server gets', async () => {
    const memory = { command: process.execPath, args: [MEMORY], env: env() };
    const { client, opened } = start({ memory, broken: BROKEN });
    await opened;
    for (const name of ['no_prefix', 'nobody__tool', 'broken__tool', 'memory__no_such_tool']) {
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(
        /MCP error -32\d{3}: \w/,
      );
    }
    await client.close();
    const store = await openStore(`sqlite:${join(folder, 'ledger.sqlite')}`);
    const rows = await store.transaction((tx) => tx.list('receipts', { orderBy: 'seq', limit: 9 }));
    await store[Symbol.asyncDispose]();
    const decided = rows.map(({ operation, decision }) => `${operation} ${decision}`).toSorted();
    expect(decided).toEqual([
      'broken__tool refused',
      'no_prefix refused',
      'no_such_tool refused',
      'nobody__tool refused',
    ]);
  });

  it('refuses the session when no server can be started', async () => {
    const { opened } = start({ one: BROKEN, two: BROKEN });
    await expect(opened).rejects.toThrow(/one: .*two: /);
  });
});
