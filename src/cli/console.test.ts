import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visitConsole } from '../../scripts/start/console-visitor.ts';
import { openLedger } from '../ledger/open-ledger.ts';

const COMMAND = fileURLToPath(new URL('../../bin/plimsoll', import.meta.url));
const TOKEN = 't'.repeat(40);

let folder: string;
let ledger: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  ledger = `sqlite:${join(folder, 'ledger.sqlite')}`;
  await (await openLedger(ledger))[Symbol.asyncDispose]();
});

afterAll(() => rmSync(folder, { recursive: true }));

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
    [['--host', '0.0.0.0'], 'other machines could reach'],
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
