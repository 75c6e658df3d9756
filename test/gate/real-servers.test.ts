/**
 * Public servers behind `plimsoll gate` as a real process: both eras, both transports, clients of both
 * generations of the SDK, and the Inspector.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '../../src/gate/protocol/read-frame.ts';
import type { HttpGate } from './gate-process.ts';
import { approve, openHttpGate, PLIMSOLL, receiptsIn, run } from './gate-process.ts';
import type { Call, PublicServer } from './public-servers.ts';
import { publicServers, telling } from './public-servers.ts';

type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];
type AnyClient = Pick<Client, 'listTools' | 'callTool' | 'close'>;

const SLOW = { timeout: 90_000 };
const ENTITY = '{"type":"entity","name":"ada","entityType":"person","observations":["exists"]}\n';
const KINDS = ['2025', '2026', 'first SDK'] as const;
type Kind = (typeof KINDS)[number];

let folder: string;
let ledger: string;
let open: { close: () => Promise<void> }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-real-'));
  ledger = `sqlite:${folder}/ledger.sqlite`;
  open = [];
  writeFileSync(join(folder, 'a.txt'), 'old');
  writeFileSync(join(folder, 'memory.jsonl'), ENTITY);
  writeFileSync(join(folder, 'policy.yaml'), 'asking:\n  holdSeconds: 0\n');
});

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
  rmSync(folder, { recursive: true });
});

function serverOf(name: string): PublicServer {
  const found = publicServers(folder).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no server ${name}`);
  return found;
}

function gateArgs(command: readonly string[]): readonly string[] {
  const policy = ['--policy', join(folder, 'policy.yaml')];
  const passed = ['--pass-env', 'MEMORY_FILE_PATH', '--pass-env', 'NOTION_TOKEN'];
  return ['--ledger', ledger, ...policy, ...passed, '--', ...command];
}

/** A client on a URL, or on a command that it starts. */
async function connect(kind: Kind, where: URL | readonly string[], env = {}): Promise<AnyClient> {
  const info = { name: 'test', version: '1' };
  const [command = '', ...args] = where instanceof URL ? [] : where;
  const started = {
    command,
    args,
    env: { ...getEnvironment(), ...env },
    stderr: 'ignore' as const,
  };
  const client = await (async (): Promise<AnyClient> => {
    if (kind === 'first SDK') {
      const old = new ClientV1(info);
      const transport = where instanceof URL ? new HttpV1(where) : new StdioV1(started);
      await old.connect(transport);
      return old as unknown as AnyClient; // the few verbs that are used here are alike
    }
    const mode = kind === '2025' ? 'legacy' : { pin: '2026-07-28' };
    const fresh = new Client(info, { versionNegotiation: { mode } });
    await fresh.connect(
      where instanceof URL
        ? new StreamableHTTPClientTransport(where)
        : new StdioClientTransport(started),
    );
    return fresh;
  })();
  open.push(client);
  return client;
}

function getEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

async function openGateOf({ command, env }: PublicServer): Promise<HttpGate> {
  const gate = await openHttpGate(gateArgs(command), env);
  open.push({ close: async () => gate[Symbol.asyncDispose]() });
  return gate;
}

/** A client of 2026 can do more, so servers may show it more; it has no `execution`, which went with tasks. */
function toModern({ ...tool }: Tool): Tool {
  delete tool.execution;
  return tool;
}

function world(): readonly string[] {
  return ['a.txt', 'memory.jsonl'].map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** Where a tool promises a shape of its own, the problem is not in `structuredContent`. */
function problemOf(answer: object): { readonly code?: unknown; readonly reference?: unknown } {
  const result = 'result' in answer && isObject(answer.result) ? answer.result : answer;
  const meta = '_meta' in result ? result['_meta'] : undefined;
  const problem = isObject(meta) ? meta['dev.plimsoll/problem'] : undefined;
  return isObject(problem) ? problem : {};
}

function codeOf(answer: object): unknown {
  return problemOf(answer).code;
}

const ALL = publicServers('').map((server) => ({
  ...server,
  does: server.read === undefined ? 'lists' : 'lists and reads',
}));

describe.each(ALL)('$name', ({ name, does }) => {
  it(`${does} as without the gate, for every client, over both transports`, SLOW, async () => {
    const server = serverOf(name);
    const direct = await connect('2025', server.command, server.env);
    const { tools } = await direct.listTools();
    const read = server.read && (await direct.callTool(server.read)).content;
    expect(tools.length).toBeGreaterThan(0);
    expect(read === undefined ? 'lists' : 'lists and reads').toBe(does);
    const gate = await openGateOf(server);
    const stdio = [PLIMSOLL, 'gate', ...gateArgs(server.command)];
    for (const kind of KINDS) {
      for (const where of [gate.url, stdio]) {
        const client = await connect(kind, where, server.env);
        const listed = (await client.listTools()).tools;
        const names = new Set(tools.map((tool) => tool.name));
        const shown = listed.filter((tool) => kind !== '2026' || names.has(tool.name));
        expect(shown).toEqual(kind === '2026' ? tools.map(toModern) : tools);
        const again = server.read && (await client.callTool(server.read)).content;
        expect(again).toEqual(read);
      }
    }
  });
});

const ASKING = ALL.filter(({ asks }) => asks !== undefined);

/** Asks every client over HTTP; nothing has changed after it. */
async function askedOf(server: PublicServer): Promise<Call> {
  const { asks } = server;
  if (asks === undefined) throw new Error('nothing to ask about');
  const gate = await openGateOf(server);
  const before = world();
  for (const kind of KINDS) {
    const client = await connect(kind, gate.url);
    await client.listTools();
    const answer = await client.callTool(asks);
    expect(answer).toMatchObject({ isError: true });
    expect(codeOf(answer)).toBe('approval-pending');
  }
  expect(world()).toEqual(before);
  return asks;
}

describe.each(ASKING.filter(({ isRemote }) => isRemote === true))('$name', ({ name }) => {
  it('asks before it changes anything', SLOW, async () => {
    const { name: tool } = await askedOf(serverOf(name));
    const receipts = await receiptsIn(ledger);
    expect(receipts.map(({ operation, outcome }) => [operation, outcome])).toEqual(
      KINDS.map(() => [tool, 'approval-pending']),
    );
  });
});

describe.each(ASKING.filter(({ isRemote }) => isRemote !== true))('$name', ({ name }) => {
  it('asks before it changes anything, and runs once after a yes', SLOW, async () => {
    const server = serverOf(name);
    const before = world();
    const asks = await askedOf(server);
    const stdio = [PLIMSOLL, 'gate', ...gateArgs(server.command)];
    await runsOnce(await connect('2025', stdio, server.env), asks);
    expect(world()).not.toEqual(before);
    const outcomes = (await receiptsIn(ledger)).map(({ operation, outcome }) => [
      operation,
      outcome,
    ]);
    expect(outcomes).toEqual([
      ...[...KINDS, 'stdio'].map(() => [asks.name, 'approval-pending']),
      [asks.name, 'success'],
      [asks.name, 'approval-pending'],
    ]);
  });
});

/** Asked, approved, run; and then asked about again. */
async function runsOnce(client: AnyClient, call: Call): Promise<void> {
  const { reference } = problemOf(await client.callTool(call));
  await approve(ledger, typeof reference === 'string' ? reference : '');
  expect(codeOf(await client.callTool(call))).toBeUndefined();
  const after = world();
  expect(codeOf(await client.callTool(call))).toBe('approval-pending');
  expect(world()).toEqual(after);
}

describe('a server that dies in the middle of a call', () => {
  it.each(['2025', '2026'] as const)(
    'is told of truly and started again, for a client of %s',
    SLOW,
    async (kind) => {
      const { command, env } = serverOf('filesystem');
      const pidFile = join(folder, 'pid');
      const gated = gateArgs(telling(pidFile, command));
      const client = await connect(kind, [PLIMSOLL, 'gate', ...gated], env);
      const read = { name: 'read_text_file', arguments: { path: join(folder, 'a.txt') } };
      const { content } = await client.callTool(read);
      const first = Number(readFileSync(pidFile, 'utf8'));
      // Stopped, so that it certainly has not answered when it dies.
      process.kill(first, 'SIGSTOP');
      const made = { name: 'create_directory', arguments: { path: join(folder, 'made') } };
      const answer = client.callTool(made);
      setTimeout(() => process.kill(first, 'SIGKILL'), 300);
      expect(codeOf(await answer)).toBe('outcome-doubtful');
      expect((await client.callTool(read)).content).toEqual(content);
      expect(Number(readFileSync(pidFile, 'utf8'))).not.toBe(first);
    },
  );

  it('does not keep a read from its answer', SLOW, async () => {
    const { command, env } = serverOf('filesystem');
    const pidFile = join(folder, 'pid');
    const gated = gateArgs(telling(pidFile, command));
    const client = await connect('2025', [PLIMSOLL, 'gate', ...gated], env);
    await client.listTools();
    const pid = Number(readFileSync(pidFile, 'utf8'));
    process.kill(pid, 'SIGSTOP');
    const path = join(folder, 'a.txt');
    const answer = client.callTool({ name: 'read_text_file', arguments: { path } });
    setTimeout(() => process.kill(pid, 'SIGKILL'), 300);
    expect(JSON.stringify((await answer).content)).toContain('old');
  });
});

describe('the Inspector', () => {
  const inspector = resolve('node_modules/.bin/mcp-inspector');

  it.each(['stdio', 'http'])('lists, reads and is asked over %s', SLOW, async (transport) => {
    const server = serverOf('filesystem');
    const [command, ...args] = [PLIMSOLL, 'gate', ...gateArgs(server.command)];
    const gate = transport === 'http' ? await openGateOf(server) : undefined;
    const entry = gate ? { type: 'http', url: gate.url.href } : { type: 'stdio', command, args };
    const config = join(folder, 'inspector.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { fs: entry } }));
    const ask = (...more: readonly string[]) =>
      run(inspector, ['--cli', '--config', config, '--server', 'fs', '--format', 'json', ...more]);
    const listed = await ask('--method', 'tools/list');
    expect(listed.stdout).toContain('"directory_tree"');
    const file = `path=${join(folder, 'a.txt')}`;
    const call = ['--method', 'tools/call', '--tool-arg', file];
    const read = await ask(...call, '--tool-name', 'read_text_file');
    expect([read.code, read.stdout]).toEqual([0, expect.stringContaining('old')]);
    const asked = await ask(...call, 'content=new', '--tool-name', 'write_file');
    expect(asked.stdout + asked.stderr).toContain('Plimsoll is holding this call');
    expect(world()[0]).toBe('old');
  });
});
