/** Several gates on one ledger, each with a lock of its own: what a person accepts counts for the gate that the page is about. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { visitConsole } from '../../scripts/start/console-visitor.ts';
import { ownLock, readLockFile } from '../../src/gate/tools/lock.ts';

const PLIMSOLL = resolve('bin/plimsoll');
/** The same command everywhere, as hosts start it in each project. */
const SERVER = [process.execPath, resolve('node_modules/.bin/mcp-server-memory')];

let folder: string;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-two-gates-'));
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'));
  vi.stubEnv('PLIMSOLL_UNATTENDED', '1');
  await openGate('notes', 'home', '--console', '127.0.0.1:0');
  await openGate('other', 'elsewhere');
  await openGate('notes', 'project');
});

afterAll(async () => {
  for (const stop of stops) await stop();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** What it has said so far. */
function start(cwd: string, ...args: readonly string[]): () => string {
  const ledger = `sqlite:${join(folder, 'ledger.sqlite')}`;
  const [name = '', ...rest] = args;
  const child = spawn(PLIMSOLL, [name, '--ledger', ledger, ...rest], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit');
  stops.push(async () => {
    child.kill();
    await ended;
  });
  return () => said;
}

let gateSaid: () => string;

/** Its tools are known once a client has asked for them. */
async function openGate(name: string, place: string, ...flags: readonly string[]): Promise<void> {
  const cwd = join(folder, place);
  mkdirSync(cwd);
  const http = ['--http', '127.0.0.1:0', '--name', name, ...flags, '--', ...SERVER];
  const said = start(cwd, 'gate', ...http);
  if (flags.includes('--console')) gateSaid = said;
  await vi.waitUntil(() => /http\S+\/mcp/.test(said()), { timeout: 20_000 });
  const client = new Client({ name: 'agent', version: '1' });
  const url = new URL(/http\S+\/mcp/.exec(said())?.[0] ?? '');
  await client.connect(new StreamableHTTPClientTransport(url));
  await client.listTools();
  await client.close();
}

interface Visitor {
  readonly get: (path: string) => Promise<string>;
  readonly post: (path: string, form: Readonly<Record<string, string>>) => Promise<number>;
}

async function signIn(said: () => string): Promise<Visitor> {
  await vi.waitUntil(() => /http\S+\/enter/.test(said()), { timeout: 20_000 });
  const link = new URL(/http\S+\/enter\S+/.exec(said())?.[0] ?? '');
  const { origin } = link;
  const body = new URLSearchParams({ token: link.searchParams.get('token') ?? '' });
  const init = { method: 'POST', headers: { origin }, body };
  const entered = await visitConsole(new URL('/enter', origin), init);
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const get = async (path: string): Promise<string> =>
    (
      await visitConsole(new URL(path, origin), { headers: { cookie, accept: 'text/html' } })
    ).text();
  const post = async (path: string, form: Readonly<Record<string, string>>): Promise<number> => {
    const fields = new URLSearchParams(form);
    const headers = { cookie, origin, accept: 'text/html' };
    return (await visitConsole(new URL(path, origin), { method: 'POST', headers, body: fields }))
      .status;
  };
  return { get, post };
}

function formIn(text: string): Readonly<Record<string, string>> {
  const [form = ''] = /<form method="post" action="[^"]*\/pins"[^]*?<\/form>/.exec(text) ?? [];
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}

/** The servers with pins, by the folder of the gate. */
function pinned(place: string): readonly string[] {
  const lock = ownLock(join(folder, place));
  const reading = readLockFile(lock);
  if (reading.kind === 'faults') throw new Error('the lock got faulty');
  return existsSync(lock) ? [...reading.lock.servers.keys()] : [];
}

/** The page of each gate that has a server of this name, as the list of servers leads to it. */
async function pagesOf({ get }: Visitor, name: string, count: number): Promise<readonly string[]> {
  return vi.waitFor(
    async () => {
      const text = await get('/servers');
      const links = [...text.matchAll(/href="(\/servers\/[^"]+)"/g)].map(([, path = '']) => path);
      const own = links.filter((path) => new URL(path, 'http://x').pathname === `/servers/${name}`);
      expect(new Set(own).size).toBe(count);
      for (const path of own) expect(formIn(await get(path))).toHaveProperty('definition');
      return own;
    },
    { timeout: 15_000, interval: 500 },
  );
}

/** The test before left nothing behind. */
function clearLocks(): void {
  rmSync(join(folder, 'state', 'plimsoll', 'locks'), { recursive: true, force: true });
}

describe.each(['gate', 'person'])('the console that a %s has started', (kind) => {
  let visitor: Visitor;

  beforeAll(async () => {
    clearLocks();
    const said = kind === 'gate' ? gateSaid : start(folder, 'console', '--port', '0');
    visitor = await signIn(said);
  });

  it('writes the pins of a server into the lock of its own gate', async () => {
    const [path = ''] = await pagesOf(visitor, 'other', 1);
    const { pathname } = new URL(path, 'http://x');
    expect(await visitor.post(`${pathname}/pins`, formIn(await visitor.get(path)))).toBe(303);
    expect([pinned('elsewhere'), pinned('home'), pinned('project')]).toEqual([['other'], [], []]);
    expect(await visitor.get(path)).toContain('9 of 9 are as accepted');
  });

  it('tells two servers of one name and command apart by the locks of their gates', async () => {
    const paths = await pagesOf(visitor, 'notes', 2);
    const inProject = ownLock(join(folder, 'project'));
    const texts = await Promise.all(paths.map((path) => visitor.get(path)));
    const at = texts.findIndex((text) => text.includes(`lock <code>${inProject}</code>`));
    const text = texts[at] ?? '';
    const { pathname } = new URL(paths[at] ?? '', 'http://x');
    const [, tool = ''] = /href="(\/tools\/notes\/[^"]+)"/.exec(text) ?? [];
    expect(await visitor.get(tool)).toContain(`<code>${inProject}</code>`);
    const { at: _, ...unsaid } = formIn(text);
    expect(await visitor.post(`${pathname}/pins`, unsaid)).toBe(409);
    expect([pinned('home'), pinned('project')]).toEqual([[], []]);
    expect(await visitor.post(`${pathname}/pins`, formIn(text))).toBe(303);
    expect([pinned('home'), pinned('project')]).toEqual([[], ['notes']]);
    const [one, other] = [paths[at] ?? '', paths[1 - at] ?? ''];
    expect(await visitor.get(one)).toContain('9 of 9 are as accepted');
    expect(await visitor.get(other)).toContain('0 of 9 are as accepted');
  });
});
