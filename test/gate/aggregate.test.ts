/** Two published servers behind one channel, with clients of both eras in front. */
import { Client as ModernClient } from '@modelcontextprotocol/client';
import type { JSONRPCMessage as ModernMessage } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { JSONRPCMessage as LegacyMessage } from '@modelcontextprotocol/sdk/types.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Channel } from '../../src/gate/protocol/channel.ts';
import { openEither } from '../../src/gate/protocol/eras/open-either.ts';
import { openAggregate } from '../../src/gate/upstream/aggregate/open-aggregate.ts';
import { openProcess } from '../../src/gate/upstream/process.ts';
import { EraTransport } from './era-transport.ts';

const INFO = { name: 'plimsoll', version: '1.2.3' };

const CLIENT = { name: 'test-client', version: '1.0.0' };
const require = createRequire(import.meta.url);
const open: AsyncDisposable[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function openServer(name: string, ...args: readonly string[]): Channel {
  const path = require.resolve(`@modelcontextprotocol/${name}/dist/index.js`);
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-aggregate-'));
  folders.push(folder);
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.json') };
  const server = openProcess({ command: process.execPath, args: [path, ...args], env });
  return openEither(server, { clientInfo: CLIENT });
}

function openBoth(): { aggregate: Channel; reports: string[] } {
  const reports: string[] = [];
  const missing = openProcess({ command: 'no-such-command-anywhere' });
  const servers = [
    { name: 'memory', channel: openServer('server-memory') },
    { name: 'broken', channel: openEither(missing, { clientInfo: CLIENT }) },
    { name: 'everything', channel: openServer('server-everything', 'stdio') },
  ];
  const aggregate = openAggregate(servers, {
    info: INFO,
    report: (message) => reports.push(message),
  });
  open.push(aggregate);
  return { aggregate, reports };
}

async function connectModern(aggregate: Channel): Promise<ModernClient> {
  const mode = { pin: '2026-07-28' } as const;
  const capabilities = { elicitation: { form: {} } };
  const client = new ModernClient(CLIENT, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  await client.connect(new EraTransport<ModernMessage>(aggregate));
  return client;
}

async function connectLegacy(aggregate: Channel): Promise<LegacyClient> {
  const client = new LegacyClient(CLIENT, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  await client.connect(new EraTransport<LegacyMessage>(aggregate));
  return client;
}

const entity = { name: 'Ada', entityType: 'person', observations: ['likes engines'] };

describe.each([
  ['2026', connectModern],
  ['2025', connectLegacy],
] as const)('a client of %s in front of several servers', (_, connect) => {
  it('has the tools of those that run, each under the name of its server', async () => {
    const { aggregate, reports } = openBoth();
    const client = await connect(aggregate);
    expect(client.getServerVersion()?.name).toBe('plimsoll');
    expect(client.getInstructions()).toContain('# everything');
    const names = (await client.listTools()).tools.map(({ name }) => name);
    const servers = [...new Set(names.map((name) => name.split('__')[0]))];
    expect(servers).toEqual(['memory', 'everything']);
    expect(reports.some((report) => report.startsWith('broken is left out'))).toBe(true);
    const call = client.callTool({ name: 'broken__anything', arguments: {} });
    await expect(call).rejects.toThrow(/broken|no-such-command/);
  });

  it('calls tools, prompts and resources where they are', async () => {
    const { aggregate } = openBoth();
    const client = await connect(aggregate);
    const made = { name: 'memory__create_entities', arguments: { entities: [entity] } };
    const [, sum, graph] = [
      await client.callTool(made),
      await client.callTool({ name: 'everything__get-sum', arguments: { a: 2, b: 40 } }),
      await client.callTool({ name: 'memory__read_graph', arguments: {} }),
    ];
    expect(JSON.stringify(sum.content)).toContain('42');
    expect(JSON.stringify(graph.content)).toContain('likes engines');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('everything__simple-prompt');
    const prompt = await client.getPrompt({ name: 'everything__simple-prompt' });
    expect(prompt.messages.length).toBeGreaterThan(0);
    const { resources } = await client.listResources();
    const uri = resources[0]?.uri ?? '';
    expect((await client.readResource({ uri })).contents[0]?.uri).toBe(uri);
    const { resourceTemplates } = await client.listResourceTemplates();
    const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate.includes('text'));
    const dynamic = template?.uriTemplate.replace(/\{[^}]*\}/, '1') ?? '';
    expect((await client.readResource({ uri: dynamic })).contents).toHaveLength(1);
    const unknown = client.callTool({ name: 'unprefixed', arguments: {} });
    await expect(unknown).rejects.toThrow('Unknown');
  });

  it('is asked by one of them during a call, and sees its progress', async () => {
    const { aggregate } = openBoth();
    const client = await connect(aggregate);
    const asking = { name: 'everything__trigger-elicitation-request', arguments: {} };
    const result = await client.callTool(asking);
    expect(JSON.stringify(result.content)).toContain('Ada');
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
    const long = {
      name: 'everything__trigger-long-running-operation',
      arguments: { duration: 0.2, steps: 2 },
    };
    if (client instanceof ModernClient) await client.callTool(long, { onprogress });
    else await client.callTool(long, undefined, { onprogress });
    expect(seen).toEqual([1, 2]);
  });
});
