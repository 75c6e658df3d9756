/**
 * The first day of somebody who has read nothing: from the packed file to rules of their own, with real
 * processes and a real browser. Nothing is copied by hand: every command is typed as it stands here, and the
 * browser goes where the desktop is told to.
 */
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
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse } from 'jsonc-parser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Browser, NO_BROWSER } from './console/browser.ts';
import { publicServers } from './gate/public-servers.ts';
import { installPackage } from './support/installed-package.ts';

const run = promisify(execFile);

/** Writes down what it was called with, in place of the desktop. */
const RECORDER = `#!/bin/sh
printf '%s\\n' "$@" >> "$HOME/$(basename "$0").txt"
`;

const PAGE = /http:\/\/plimsoll-[\da-f]{32}\.localhost:\d+\/approvals\/[\da-f]{32}/;
const PEOPLE = ['ada', 'grace', 'jean', 'kay'];
const SOON = { timeout: 30_000, interval: 200 };

let home = '';
let env: Record<string, string> = {};
let installed = '';

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-home-'));
  const desktop = join(home, 'desktop');
  mkdirSync(desktop);
  for (const name of ['notify-send', 'xdg-open']) {
    writeFileSync(join(desktop, name), RECORDER);
    chmodSync(join(desktop, name), 0o755);
  }
  installed = await installPackage(join(home, '.npm-global'));
  const node = dirname(process.execPath);
  env = {
    HOME: home,
    PATH: [desktop, installed, node, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    PLIMSOLL_UNATTENDED: '',
  };
}, 180_000);

afterAll(async () => {
  await plimsoll('console', '--stop').catch(() => {});
  rmSync(home, { recursive: true, maxRetries: 5 });
});

async function plimsoll(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run('plimsoll', args, { cwd: home, env });
  return `${stdout}${stderr}`;
}

function recorded(name: string): string {
  const file = join(home, `${name}.txt`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** With a comment and a trailing comma, as people leave them there. */
function writeHostFile(): { readonly file: string; readonly bytes: Buffer } {
  const entries = publicServers(home).slice(0, 3);
  const lines = entries.map(({ name, command: [command, ...args], env: variables }) => {
    const entry = { command, args, ...(Object.keys(variables).length > 0 && { env: variables }) };
    return `    "${name}": ${JSON.stringify(entry)},\n`;
  });
  const file = join(home, '.cursor', 'mcp.json');
  mkdirSync(dirname(file));
  writeFileSync(file, `{\n  // what I use\n  "mcpServers": {\n${lines.join('')}  },\n}\n`);
  const entities = PEOPLE.map((name) =>
    JSON.stringify({ type: 'entity', name, entityType: 'person', observations: [] }),
  );
  writeFileSync(join(home, 'memory.jsonl'), `${entities.join('\n')}\n`);
  return { file, bytes: readFileSync(file) };
}

interface HostEntry {
  readonly command: string;
  readonly args: string[];
  readonly env?: Record<string, string>;
}

interface Agent extends AsyncDisposable {
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<string>;
}

/** Starts what the configuration says, as the host does. */
async function connect(file: string, name: string): Promise<Agent> {
  const { mcpServers } = parse(readFileSync(file, 'utf8'), [], { allowTrailingComma: true }) as {
    readonly mcpServers: Readonly<Record<string, HostEntry>>;
  };
  const entry = mcpServers[name];
  if (entry === undefined) throw new Error(`${name} is not in ${file}`);
  const { command, args, env: own } = entry;
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(
    new StdioClientTransport({ command, args, env: { ...env, ...own }, stderr: 'ignore' }),
  );
  return {
    call: async (tool, given = {}) =>
      JSON.stringify((await client.callTool({ name: tool, arguments: given })).content),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function forget(agent: Agent, person: string): Promise<string> {
  return agent.call('delete_entities', { entityNames: [person] });
}

function remembered(): readonly string[] {
  const text = readFileSync(join(home, 'memory.jsonl'), 'utf8');
  return PEOPLE.filter((name) => text.includes(`"${name}"`));
}

async function approveNext(page: Page, answer: string): Promise<void> {
  const card = page.getByRole('article').filter({ hasText: 'delete_entities' });
  await card.waitFor();
  if (answer !== 'Approve once') await card.getByText('Approve more than this call').click();
  await card.getByRole('button', { name: answer, exact: true }).click();
  await page.waitForURL('**/?answered=*', { waitUntil: 'commit' });
}

describe.skipIf(NO_BROWSER !== undefined)('the first day', () => {
  it('leads from the packed file to a yes, to rules of their own, and back', async () => {
    const { file, bytes } = writeHostFile();
    // So that this test need not wait as long as a person may take.
    writeFileSync(join(home, 'policy.yaml'), 'asking: { holdSeconds: 1 }\n');
    const options = ['--gate-arg=--policy', `--gate-arg=${join(home, 'policy.yaml')}`];
    const report = await plimsoll('wrap', '--yes', ...options);
    expect(report).toContain('Cursor');
    expect(report).toContain('plimsoll console --open');

    // The next steps, as the report names them.
    await using browser = await Browser.open();
    await using tab = await browser.openTab();
    const { page } = tab;
    await plimsoll('console', '--open');
    // It is started, and not waited for.
    await vi.waitUntil(() => recorded('xdg-open').endsWith('\n'), SOON);
    await page.goto(recorded('xdg-open').trim());
    await page.getByRole('button').click();
    await page.getByText('Nothing is waiting').waitFor();
    {
      await using files = await connect(file, 'filesystem');
      await using sums = await connect(file, 'everything');
      await using memory = await connect(file, 'memory');
      expect(await files.call('list_allowed_directories')).toContain(home);
      expect(await sums.call('get-sum', { a: 2, b: 3 })).toContain('5');
      expect(await memory.call('read_graph')).toContain('ada');

      const waiting = await forget(memory, 'ada');
      const [address = 'none'] = PAGE.exec(waiting) ?? [];
      expect(waiting).toContain('Plimsoll');
      await vi.waitFor(() => expect(recorded('notify-send')).toContain(address), SOON);
      expect(remembered()).toContain('ada');
      await vi.waitFor(async () => {
        const status = await plimsoll('status');
        expect(status).toContain('Running    everything, filesystem, memory\n');
        expect(status).toContain('1 question');
      }, SOON);

      // The queue that is open in the browser shows it by itself.
      expect(new URL(page.url()).origin).toBe(new URL(address).origin);
      await approveNext(page, 'Approve this tool, whatever the arguments');
      expect(await forget(memory, 'ada')).toContain('deleted');
      expect(await forget(memory, 'grace')).toContain('deleted');
      expect(remembered()).toEqual(['jean', 'kay']);
    }

    // A grant ends with its session; the browser stays signed in.
    for (const person of ['jean', 'kay']) {
      await using memory = await connect(file, 'memory');
      expect(await forget(memory, person)).toMatch(PAGE);
      await page.goto(new URL('/', page.url()).href);
      await approveNext(page, 'Approve once');
      await vi.waitFor(async () => expect(await forget(memory, person)).toContain('deleted'), SOON);
    }
    expect(remembered()).toEqual([]);
    expect(await plimsoll('grants')).toContain('delete_entities');

    const suggested = await plimsoll('policy', 'suggest');
    expect(suggested).toContain('You said yes 3 times to delete_entities on memory');
    writeFileSync(join(home, 'new.yaml'), suggested);
    const replayed = await plimsoll('policy', 'replay', '--policy', 'new.yaml');
    expect(replayed).toMatch(/memory delete_entities .* by suggested memory delete_entities/);

    expect(await plimsoll('unwrap')).toContain('restored byte for byte');
    expect(readFileSync(file)).toEqual(bytes);
  }, 120_000);
});

describe('the installed command', () => {
  it('says in one sentence which Node it needs, on one that is too old', async () => {
    const script = join(installed, '..', 'lib/node_modules/plimsoll/dist/cli/main.js');
    const old = await findOldNode();
    const { code, stderr } = await run(old, [script, '--version']).then(
      () => ({ code: 0, stderr: '' }),
      (error: { readonly code: number; readonly stderr: string }) => error,
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^plimsoll: Node 22\.18 or newer is needed, and this is \d[^\n]+\n$/),
    ]);
  }, 120_000);
});

/** One that this machine has, or one from the registry. */
async function findOldNode(): Promise<string> {
  for (const node of ['/usr/bin/node', '/usr/local/bin/node']) {
    const { stdout } = await run(node, ['--version']).catch(() => ({ stdout: '' }));
    if (/^v(?:18|20)\./.test(stdout)) return node;
  }
  const folder = join(home, 'old-node');
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', 'node@20']);
  return join(folder, 'node_modules/node/bin/node');
}
