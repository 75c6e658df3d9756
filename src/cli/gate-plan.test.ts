/** What a command line makes of a server, a lock and an environment. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownLock } from '../gate/tools/lock.ts';
import type { GateFlags } from './gate.ts';
import { readGatePlan } from './gate-plan.ts';

let scratch = '';

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'plimsoll-plan-'));
  vi.stubEnv('XDG_STATE_HOME', join(scratch, 'state'));
  vi.spyOn(process, 'cwd').mockReturnValue(scratch);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(scratch, { recursive: true });
});

const FLAGS: GateFlags = {
  header: [],
  headerEnv: [],
  passEnv: {},
  name: 'notes',
  ask: [],
  notify: true,
};

async function toServer(command: readonly string[], flags: Partial<GateFlags>): Promise<unknown> {
  const { config } = await readGatePlan(command, { ...FLAGS, ...flags });
  return config.servers[0];
}

describe('a server on the command line', () => {
  it('has its URL and headers from variables, which nobody sees in a list of processes', async () => {
    vi.stubEnv('PLIMSOLL_URL', 'https://notes.example/mcp?key=${HOME}');
    vi.stubEnv('TOKEN', 'Bearer ${HOME}');
    const flags = {
      urlEnv: 'PLIMSOLL_URL',
      header: ['X-A: b'],
      headerEnv: ['Authorization=TOKEN'],
    };
    expect(await toServer([], flags)).toMatchObject({
      kind: 'remote',
      url: 'https://notes.example/mcp?key=${HOME}',
      headers: { 'X-A': 'b', Authorization: 'Bearer ${HOME}' },
    });
  });

  it('has variables of a file, and those that are passed by name', async () => {
    writeFileSync(join(scratch, '.env'), '# ours\nA=1\nexport B="two words"\n');
    const flags = {
      serverEnvFile: join(scratch, '.env'),
      passEnv: { TOKEN: 'PLIMSOLL_ENV_TOKEN' },
    };
    expect(await toServer(['node', 'x.js'], flags)).toMatchObject({
      kind: 'process',
      command: 'node',
      args: ['x.js'],
      env: { A: '1', B: 'two words' },
      passEnv: { TOKEN: 'PLIMSOLL_ENV_TOKEN' },
    });
  });

  it.each([
    [{ urlEnv: 'NOT_SET' }, /NOT_SET is not set/],
    [{ url: 'https://a.example', headerEnv: ['A=NOT_SET'] }, /NOT_SET is not set/],
    [{ url: 'https://a.example', headerEnv: ['Authorization'] }, /Name=VARIABLE/],
    [{ url: 'https://a.example', urlEnv: 'B' }, /^--url and --url-env cannot be combined/],
    [{ trusted: true as const }, /^no server/],
  ])('is refused with %j', async (flags, message) => {
    await expect(readGatePlan([], { ...FLAGS, ...flags })).rejects.toThrow(message);
  });

  it('is either a command or a URL', async () => {
    const flags = { ...FLAGS, url: 'https://a.example' };
    await expect(readGatePlan(['x'], flags)).rejects.toThrow(
      '--url and a command cannot be combined; pass one of them',
    );
  });

  it('shows no secret when the URL of a variable is none', async () => {
    vi.stubEnv('PLIMSOLL_URL', 'secret');
    await expect(toServer([], { urlEnv: 'PLIMSOLL_URL' })).rejects.toThrow(/^(?!.*secret)/);
  });
});

it('has the whole path of its ledger, since the console that it starts runs elsewhere', async () => {
  const plan = await readGatePlan(['x'], { ...FLAGS, ledger: 'sqlite:state/ledger.sqlite' });
  expect(plan.ledger).toBe(`sqlite:${join(scratch, 'state', 'ledger.sqlite')}`);
  const inMemory = await readGatePlan(['x'], { ...FLAGS, ledger: 'sqlite::memory:' });
  expect(inMemory.ledger).toBe('sqlite::memory:');
});

describe('the lock', () => {
  it('that is not there is named with a command that holds no secret', async () => {
    const flags = { ...FLAGS, lock: 'none.json' };
    await expect(readGatePlan(['x', 'a b'], flags)).rejects.toThrow("--accept -- x 'a b'");
    await expect(readGatePlan(['x', '--api-key', 'hush'], flags)).rejects.toThrow(
      '--accept -- SOURCE',
    );
  });

  const CONFIG = 'mcpServers: { a: { command: x } }\n';

  it("is the user's own for the folder, beside one that is found there", async () => {
    expect(await readGatePlan(['x'], FLAGS)).toMatchObject({
      lock: ownLock(scratch),
      foundLock: undefined,
    });
    writeFileSync(join(scratch, 'plimsoll.lock.json'), '');
    const found = join(scratch, 'plimsoll.lock.json');
    expect(await readGatePlan(['x'], FLAGS)).toMatchObject({
      lock: ownLock(scratch),
      foundLock: found,
    });
    expect(await readGatePlan(['x'], { ...FLAGS, lock: found })).toMatchObject({
      lock: found,
      foundLock: undefined,
    });
  });

  it('that does not exist is created by the command that the message gives', async () => {
    const flags = { ...FLAGS, lock: 'no such.lock' };
    await expect(readGatePlan(['npx', '-y', 'a b'], flags)).rejects.toThrow(
      "plimsoll pin --server notes --lock 'no such.lock' --accept -- npx -y 'a b'",
    );
    await expect(readGatePlan([], { ...flags, url: 'https://a.example' })).rejects.toThrow(
      "plimsoll pin --server NAME --lock 'no such.lock' --accept -- SOURCE",
    );
  });

  it('of a configuration is the one that it names, or that of its folder', async () => {
    const folder = join(scratch, 'gate');
    mkdirSync(folder);
    const config = join(folder, 'plimsoll.yaml');
    writeFileSync(config, CONFIG);
    writeFileSync(join(folder, 'plimsoll.lock.json'), '');
    expect(await readGatePlan([], { ...FLAGS, config })).toMatchObject({
      lock: ownLock(folder),
      foundLock: join(folder, 'plimsoll.lock.json'),
    });
    writeFileSync(config, `${CONFIG}lock: pins.json\n`);
    await expect(readGatePlan([], { ...FLAGS, config })).rejects.toThrow('does not exist');
    writeFileSync(join(folder, 'pins.json'), '');
    expect(await readGatePlan([], { ...FLAGS, config })).toMatchObject({
      lock: join(folder, 'pins.json'),
      foundLock: undefined,
    });
  });
});
