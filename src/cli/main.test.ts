/** What all commands have in common: exit codes, one line for each mistake, and help with examples. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLedger } from '../ledger/open-ledger.ts';
import { runMain } from '../../test/support/run-main.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-main-'));
const ledger = `sqlite:${join(folder, 'ledger.sqlite')}`;
const broken = join(folder, 'broken.sqlite');
const taken = createServer();
let port = 0;

beforeAll(async () => {
  await (await openLedger(ledger))[Symbol.asyncDispose]();
  writeFileSync(broken, 'this is no database, whatever its name says');
  writeFileSync(`${broken}.key`, Buffer.alloc(32, 1).toString('base64'));
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  port = (taken.address() as { readonly port: number }).port;
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

afterAll(async () => {
  await new Promise((done) => taken.close(done));
  rmSync(folder, { recursive: true });
});

const run = (...args: readonly string[]): ReturnType<typeof runMain> => runMain(args);

function subcommandsIn(help: string): readonly string[] {
  const [, list = ''] = /^Commands:\n((?: {2}.+\n)+)/m.exec(help) ?? [];
  return [...list.matchAll(/^ {2}(\w+)/gm)]
    .map(([, name]) => name ?? '')
    .filter((name) => name !== 'help');
}

describe('--help', () => {
  it('of every command has examples, and each of them begins with the command', async () => {
    const lacking: string[] = [];
    const seen: string[] = [];
    const visit = async (path: readonly string[]): Promise<void> => {
      const { code, stdout } = await run(...path, '--help');
      const name = ['plimsoll', ...path].join(' ');
      seen.push(name);
      const [, examples = ''] = /^Examples:\n([^]+)$/m.exec(stdout) ?? [];
      if (code !== 0 || !examples.includes(`  ${name}`)) lacking.push(name);
      expect(stdout).not.toMatch(/default:\s+(?:\[\]|\{\})/);
      for (const each of subcommandsIn(stdout)) await visit([...path, each]);
    };
    await visit([]);
    expect(lacking).toEqual([]);
    expect(seen).toHaveLength(38);
  });
});

it('says once which variable of --pass-env is not set', async () => {
  const list = join(folder, 'list.json');
  writeFileSync(list, '{"tools":[]}');
  vi.stubEnv('SET_HERE', 'x');
  vi.stubEnv('XDG_STATE_HOME', folder);
  const passed = ['--pass-env', 'NOPE', '--pass-env', 'TOKEN=NOPE', '--pass-env', 'SET_HERE'];
  for (const command of ['pin', 'check']) {
    const { stderr } = await run(command, ...passed, '--', list);
    expect(stderr.match(/--pass-env: .*/g)).toEqual([
      '--pass-env: NOPE is not set, so the server does not get it',
    ]);
  }
});

describe('a command of a server without -- before it', () => {
  const HINT =
    'plimsoll: put -- before the command of the server; what follows it is left to the server\n';

  it.each([
    ['pin', '--server', 'a', 'npx', '-y', 'x'],
    ['check', 'npx', '-y', 'x'],
    ['diff', 'old.json', 'npx', '-y', 'x'],
    ['presets', 'accept', 'filesystem', '--server', 'a', 'npx', '-y', 'x'],
    ['pin', '--json', 'npx', '-y', 'x'],
  ])('%s %s %s %s: says so', async (...args) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining("unknown option '-y'")]);
    expect(stderr).toContain(HINT);
  });

  it.each([
    ['pin', '--server', 'a', '--nonsense', 'tools.json'],
    ['check', '-y', 'npx'],
    ['audit', 'list', '-y'],
  ])('%s %s %s: is not meant where no command precedes', async (...args) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('unknown option')]);
    expect(stderr).not.toContain('put --');
  });

  it('nor where an option took the source for its own', async () => {
    const { code, stderr } = await run('pin', '--accept', 'mem.json', '--server', 'memory');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("missing required argument 'source'"),
    ]);
    expect(stderr).toContain(
      'plimsoll: --accept takes the words after it as its own; options go before the source, and -- between them\n',
    );
    expect((await run('pin', '--server', 'memory')).stderr).not.toContain('behind it');
  });
});

describe('a usage error', () => {
  it.each([
    [['serv'], 'Did you mean serve?'],
    [['--nonsense'], "unknown option '--nonsense'"],
    [['audit'], 'Usage: plimsoll audit'],
    [['audit', 'lst'], 'Did you mean list?'],
    [['audit', 'list', '--tier', 'x'], 'Allowed choices are'],
    [['audit', 'list', '--ledger', 'x'], 'write sqlite:FILE'],
    [['audit', 'list', '--ledger', 'sqlite:/nowhere/x'], 'name one with --ledger'],
    [['audit', 'verify', '--lines', '3'], "unknown option '--lines'"],
    [['audit', 'show'], "missing required argument 'receipt'"],
    [['ledger', 'resolve', 'abcdef', '--as', 'executed'], "'--reason <text>' not specified"],
    [['ledger', 'resolve', 'abcdef', '--as', 'perhaps', '--reason', 'x'], 'Allowed choices'],
    [['ledger', 'resolve', 'abcdef', '--as', 'executed', '--reason', ' '], 'must not be empty'],
    [['approve', '--yes'], 'require the id'],
    [['check'], 'nothing to check'],
    [['check', '--fail-on', 'x'], 'Allowed choices'],
    [['console', '--port', 'x'], 'must be a whole number'],
    [['diff', 'one.json'], 'pass two sources'],
    [['docs'], "missing required argument 'server'"],
    [['gate'], 'no server: pass a command after --'],
    [['gate', '--http', 'x', '--', 'true'], 'write HOST:PORT'],
    [['login'], "missing required argument 'server'"],
    [['logout'], "missing required argument 'server'"],
    [['pin', 'x.json', '--check', '--accept', 'a'], 'omit --accept'],
    [['project'], "missing required argument 'document'"],
    [['serve', 'x', '--port', 'many'], 'must be a whole number'],
    [['tools'], "missing required argument 'source'"],
    [['wrap', 'no-such-file.json'], 'no-such-file.json: it does not exist'],
    [['unwrap', 'no-such-file.json', 'y'], 'no-such-file.json: it does not exist'],
  ])('%j exits with 2', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(stderr).not.toContain('    at ');
  });
});

describe('a server name', () => {
  it.each(['', ' ', ' a', 'a ', '-a', '--', 'a\nb', 'a\u{1b}[2J', 'a\u{200b}', 'x'.repeat(101)])(
    '%j is refused with what a name is',
    async (name) => {
      for (const args of [
        ['gate', '--name', name, '--', 'true'],
        ['pin', 'x.json', '--server', name],
        ['check', 'x.json', '--server', name],
      ]) {
        const { code, stderr } = await run(...args);
        expect([code, stderr]).toEqual([2, expect.stringContaining('A name has 1 to 100 visible')]);
      }
    },
  );

  it('that the gate would refuse is not written by wrap', async () => {
    vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'));
    const file = join(folder, 'mcp.json');
    writeFileSync(file, '{"mcpServers":{"my_notes 2":{"command":"a"}," ":{"command":"b"}}}');
    const { code, stderr } = await run('wrap', file, '--yes');
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot use " " as the name')]);
    writeFileSync(file, '{"mcpServers":{"my_notes 2":{"command":"a"}}}');
    expect((await run('wrap', file, '--yes')).code).toBe(0);
  });
});

describe('a failure', () => {
  it('to open the ledger exits with 1', async () => {
    for (const args of [
      ['audit', 'list'],
      ['ledger', 'unknown'],
      ['ledger', 'sweep'],
      ['console'],
    ]) {
      const { code, stderr } = await run(...args, '--ledger', `sqlite:${broken}`);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^plimsoll: .* cannot be opened/)]);
    }
    vi.stubEnv('PLIMSOLL_LEDGER_KEY', Buffer.alloc(32, 3).toString('base64'));
    const wrong = await run(
      'ledger',
      'resolve',
      'x',
      '--as',
      'executed',
      '--reason',
      'y',
      '--ledger',
      ledger,
    );
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is not the key of')]);
  });

  it('of a server or a port exits with 1', async () => {
    const listing = await run('tools', join(folder, 'no-such-program'));
    expect([listing.code, listing.stderr]).toEqual([
      1,
      expect.stringMatching(/cannot be listed: .* could not be started: no such program was found/),
    ]);
    const console = await run('console', '--ledger', ledger, '--port', String(port));
    expect([console.code, console.stderr]).toEqual([1, expect.stringContaining('is in use; stop')]);
  });

  it('exits with 2 where 1 is an answer', async () => {
    const flags = ['--ledger', `sqlite:${broken}`];
    for (const args of [
      ['audit', 'verify'],
      ['audit', 'show', '1'],
      ['approve', '--list'],
    ]) {
      const { code, stderr } = await run(...args, ...flags);
      expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be opened')]);
    }
    const program = join(folder, 'no-such-program');
    expect((await run('diff', `${program} a`, `${program} b`)).code).toBe(2);
    expect((await run('docs', `${program} a`)).code).toBe(2);
    expect((await run('pin', '--check', '--', program, 'a')).code).toBe(2);
  });
});
