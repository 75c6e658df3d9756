/** The way to a yes after nothing but a gate: its first question starts the console and tells the person where it is. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConsoleVisitor, visitConsole } from '../../scripts/start/console-visitor.ts';
import { keptPlace } from '../../src/console/running-console.ts';
import { PLIMSOLL } from '../gate/gate-process.ts';

const run = promisify(execFile);

const SERVER = `
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const inputSchema = { type: 'object', properties: { id: { type: 'string' } } };
const tools = [{ name: 'get_note', description: 'Gives one note.', inputSchema }, { name: 'delete_note', description: 'Deletes a note for good.', inputSchema }];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } } });
  else if (method === 'tools/list') say({ id, result: { tools } });
  else if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: params.name + ' ran' }] } });
  else if (id !== undefined && method !== undefined) say({ id, result: {} });
}).on('close', () => process.exit());
`;

/** Writes down what it was called with, in place of the desktop. */
const RECORDER = `#!/bin/sh
printf '%s\\n' "$@" >> "$RECORDS/$(basename "$0")"
`;

let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-demand-'));
  mkdirSync(join(folder, 'bin'));
  for (const name of ['notify-send', 'xdg-open']) {
    writeFileSync(join(folder, 'bin', name), RECORDER);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  writeFileSync(join(folder, 'server.mjs'), SERVER);
  env = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    RECORDS: folder,
    PLIMSOLL_UNATTENDED: '',
  };
});

afterEach(async () => {
  await plimsoll('console', '--stop').catch(() => {});
  rmSync(folder, { recursive: true });
});

async function plimsoll(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(PLIMSOLL, args, { env: { ...process.env, ...env } });
  return `${stdout}${stderr}`;
}

async function withGate<T>(
  policy: string,
  use: (call: (name: string, id: string) => Promise<string>) => Promise<T>,
  ...flags: readonly string[]
): Promise<T> {
  writeFileSync(join(folder, 'policy.yaml'), policy);
  const server = ['--', process.execPath, join(folder, 'server.mjs')];
  const transport = new StdioClientTransport({
    command: resolve(PLIMSOLL),
    args: ['gate', '--name', 'notes', '--policy', join(folder, 'policy.yaml'), ...flags, ...server],
    env,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(transport);
  try {
    return await use(async (name, id) => {
      const result = await client.callTool({ name, arguments: { id } });
      return JSON.stringify(result.content);
    });
  } finally {
    await client.close();
  }
}

function recorded(name: string): string {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

const SOON = { timeout: 30_000, interval: 100 };
const PAGE = /http:\/\/plimsoll-[\da-f]{32}\.localhost:\d+\/approvals\/[\da-f]{32}/;

describe('a console on demand', () => {
  it('is started by the first question, at the address that agent and person are told, and signs in by one command', async () => {
    await withGate('asking: { holdSeconds: 2 }', async (call) => {
      expect(await call('get_note', '1')).toContain('get_note ran');
      const waiting = await call('delete_note', '1');
      const [url = ''] = PAGE.exec(waiting) ?? [];
      expect(url).not.toBe('');
      expect(recorded('notify-send')).toContain('delete_note on notes');
      expect(recorded('notify-send')).toContain(url);
      await vi.waitFor(
        async () => expect((await visitConsole(new URL(url))).status).toBe(401),
        SOON,
      );

      await plimsoll('console', '--open');
      const link = new URL(recorded('xdg-open').trim());
      expect(link.origin).toBe(new URL(url).origin);
      const person = await ConsoleVisitor.enter(link);
      expect(await person.read('/servers')).toContain('notes');
      expect(await person.read('/tools')).toContain('delete_note');
      // What is accepted here goes where the gate reads its pins.
      expect(await person.read('/servers/notes')).toContain('Accept these 2');
      expect(await person.read(new URL(url).pathname)).toContain('told to send the call again');

      const [question] = await person.questions();
      if (question === undefined) throw new Error('nothing waits');
      await person.approve(question);
      expect(await person.read(new URL(url).pathname)).toContain('Nothing runs yet');
      expect(await call('delete_note', '1')).toContain('delete_note ran');

      // The same address after a restart, and the same browser is still signed in.
      expect(await plimsoll('console', '--stop')).toContain(link.origin);
      expect(await call('delete_note', '2')).toContain(`${link.origin}/approvals/`);
      await vi.waitFor(async () => expect(await person.questions()).toHaveLength(1), SOON);
    });
  }, 120_000);

  it('is not started where the policy says so, and no notification is shown', async () => {
    await withGate('{ console: off, notify: false, asking: { holdSeconds: 1 } }', async (call) => {
      const waiting = await call('delete_note', '1');
      expect(waiting).toContain('plimsoll approve');
      expect(waiting).not.toContain('.localhost');
    });
    await expect(plimsoll('console', '--stop')).rejects.toThrow('no console runs');
    expect(recorded('notify-send')).toBe('');
  }, 60_000);

  it('is not needed for a no at the terminal, whose reason the agent gets', async () => {
    await withGate('{ console: off, notify: false, asking: { holdSeconds: 1 } }', async (call) => {
      const [, id = 'none'] = /plimsoll approve (\w+)/.exec(await call('delete_note', '1')) ?? [];
      const answer = run(PLIMSOLL, ['approve', id, '--no', '--reason', 'archive it instead'], {
        env: { ...process.env, ...env },
      });
      await expect(answer).rejects.toMatchObject({ code: 1, stdout: /^declined / });
      expect(await call('delete_note', '1')).toContain('archive it instead');
    });
  }, 60_000);

  it('moves away from a stranger on its port', async () => {
    const ledger = `sqlite:${join(folder, 'state', 'plimsoll', 'ledger.sqlite')}`;
    const before = await keptPlace(join(folder, 'state', 'plimsoll'), ledger);
    const stranger = createServer((_, response) => response.end('hello')).listen(
      before.port,
      '127.0.0.1',
    );
    await withGate(
      'asking: { holdSeconds: 1 }',
      async (call) => {
        await call('delete_note', '1');
        await plimsoll('console', '--open');
        const link = new URL(recorded('xdg-open').trim());
        expect(link.port).not.toBe(String(before.port));
        expect(link.hostname).toBe(new URL(before.url).hostname);
        expect((await visitConsole(link)).status).toBe(200);
        expect(await call('delete_note', '2')).toContain(link.origin);
      },
      '--no-notify',
    );
    expect(recorded('notify-send')).toBe('');
    stranger.close();
  }, 120_000);
});
