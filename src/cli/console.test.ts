import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { visitConsole } from '../../scripts/start/console-visitor.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { LEDGER_VARIABLE } from './console-on-demand.ts';

const COMMAND = fileURLToPath(new URL('../../bin/plimsoll', import.meta.url));
const TOKEN = 't'.repeat(40);

let folder: string;
let ledger: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  ledger = `sqlite:${join(folder, 'ledger.sqlite')}`;
  await (await openLedger(ledger))[Symbol.asyncDispose]();
});

const inBackground: ChildProcess[] = [];

afterAll(() => {
  for (const child of inBackground) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Run {
  readonly said: string;
  readonly code: number | null;
}

/** Ends it once it has shown its link, after `visit`. */
async function run(
  flags: readonly string[],
  visit: (link: URL) => Promise<void> = async () => {},
): Promise<Run> {
  const child = spawn(COMMAND, ['console', '--ledger', ledger, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, CONSOLE_TOKEN: TOKEN, XDG_STATE_HOME: join(folder, 'state') },
  });
  const ended = once(child, 'close') as Promise<[number | null]>; // as Node documents it
  let said = '';
  for await (const part of child.stderr.setEncoding('utf8')) {
    said += String(part);
    const link = /http\S+\/enter\S+/.exec(said)?.[0];
    if (link === undefined) continue;
    await visit(new URL(link));
    child.kill();
  }
  const [code] = await ended;
  return { said, code };
}

/** As a gate starts it. Resolves once it has written down which process it is. */
async function runInBackground(): Promise<{ readonly end: () => Promise<void>; pid: number }> {
  const child = spawn(COMMAND, ['console', '--background'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      XDG_STATE_HOME: join(folder, 'state'),
      [LEDGER_VARIABLE]: ledger,
    },
  });
  inBackground.push(child);
  const ended = once(child, 'close');
  await vi.waitFor(() => expect(processFile()).toBeDefined(), { timeout: 20_000, interval: 50 });
  const { pid = 0 } = child;
  return {
    pid,
    end: async () => {
      child.kill();
      await ended;
    },
  };
}

function processFile(): string | undefined {
  const state = join(folder, 'state', 'plimsoll');
  const name = readdirSync(state).find((each) => each.startsWith('console-pid-'));
  return name === undefined ? undefined : join(state, name);
}

describe('plimsoll console in the background', () => {
  it('stays the only one while it is too slow to answer, and can be stopped', async () => {
    const first = await runInBackground();
    process.kill(first.pid, 'SIGSTOP');
    const before = readFileSync(processFile() ?? '', 'utf8');
    try {
      const second = await run([]);
      expect(second.said).toContain('already running at');
    } finally {
      process.kill(first.pid, 'SIGCONT');
    }
    expect(readFileSync(processFile() ?? '', 'utf8')).toBe(before);
    expect((await run(['--stop'])).said).toContain('stopped at');
    await first.end();
    expect(processFile()).toBeUndefined();
  }, 60_000);

  it('is found under the relative address of its ledger as well', async () => {
    const { end } = await runInBackground();
    const kept = (): readonly string[] => readdirSync(join(folder, 'state', 'plimsoll'));
    const before = kept();
    const { said } = await run([
      '--stop',
      '--ledger',
      `sqlite:${relative('.', folder)}/ledger.sqlite`,
    ]);
    expect(said).toContain('stopped at');
    await end();
    expect(kept().length).toBeLessThan(before.length);
  }, 60_000);

  it('deletes what it wrote about its process, never what another one wrote', async () => {
    const { end } = await runInBackground();
    const file = processFile() ?? '';
    writeFileSync(file, 'of another one');
    await end();
    expect(readFileSync(file, 'utf8')).toBe('of another one');
    rmSync(file);
  }, 60_000);

  it('is told from one at a terminal, which --stop leaves alone', async () => {
    await run([], async () => {
      const { said, code } = await run(['--stop']);
      expect(said).toContain('runs at a terminal; end it there with Ctrl-C');
      expect(code).toBe(1);
    });
    expect((await run(['--stop'])).said).toContain('no console runs');
  }, 60_000);
});

describe('plimsoll console', () => {
  it('opens for a ledger without a gate, shows the link, and ends when told', async () => {
    const { code } = await run(['--api-token-env', 'CONSOLE_TOKEN'], async (link) => {
      expect((await visitConsole(new URL('/', link))).status).toBe(401);
      // Scripts reach it by its address.
      const origin = `http://127.0.0.1:${link.port}`;
      expect((await fetch(origin)).status).toBe(401);
      const headers = { authorization: `Bearer ${TOKEN}` };
      const answer = await fetch(new URL('/api/approvals', origin), { headers });
      expect(await answer.json()).toEqual({ approvals: [] });
    });
    expect(code).toBe(0);
  });

  it('has the same address each time, which nobody can guess', async () => {
    const links: URL[] = [];
    const visit = async (link: URL): Promise<void> => void links.push(link);
    await run([], visit);
    await run([], visit);
    const [first, second] = links;
    expect(first?.hostname).toMatch(/^plimsoll-[\da-f]{32}\.localhost$/);
    expect(second?.hostname).toBe(first?.hostname);
  });

  it.each([
    [['--host', '0.0.0.0'], 'takes --i-know-others-can-reach-it'],
    [['--port', '65536'], 'must be a whole number'],
    [['--api-token-env', 'NO_SUCH_TOKEN'], 'must contain a token'],
    [['--ledger', 'sqlite:/none/such'], 'there is no ledger at /none/such'],
    [['--policy', '/none/such.yaml'], 'cannot be read'],
  ])('%j: says what is wrong in one line', async (flags, reason) => {
    const { said, code } = await run(flags);
    expect(said).toContain(reason);
    expect(said).not.toContain('    at ');
    expect(code).not.toBe(0);
  });

  it('listens for others when told that they can reach it', async () => {
    const flags = ['--host', '0.0.0.0', '--i-know-others-can-reach-it'];
    const { said } = await run([...flags, '--url', 'http://console.test:4300']);
    expect(said).toContain('http://console.test:4300/enter?token=');
  });
});
