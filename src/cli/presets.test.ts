/** `plimsoll presets`: what is there, and accepting one for a real server. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readLock } from '../gate/tools/lock.ts';
import { runMain } from '../../test/support/run-main.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-presets-'));
const SERVER = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
);

// Never the ledger of whoever runs the tests.
beforeEach(() => {
  vi.stubEnv('XDG_STATE_HOME', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(folder, { recursive: true }));

const presets = (...args: readonly string[]): Promise<string> => run('presets', ...args);

async function run(...args: readonly string[]): Promise<string> {
  return (await runMain(args)).said;
}

it('lists the presets in columns', async () => {
  const lines = (await presets('list')).trimEnd().split('\n');
  const starts = lines.map((line) => line.search(/ tools? /));
  expect(lines.join('\n')).toContain('sequential-thinking');
  expect(new Set(starts).size).toBe(1);
});

describe('a preset that fits and is not in use', () => {
  const thinking = fileURLToPath(
    import.meta.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js'),
  );
  const source = [process.execPath, thinking];

  it('is named by plimsoll tools until it is accepted', async () => {
    const lock = join(folder, 'thinking.json');
    const list = ['tools', '--server', 'thinking', '--lock', lock];
    expect(await run(...list, ...source)).toContain(
      `plimsoll: 1 tool of thinking can be pinned as reviewed (preset sequential-thinking, npm @modelcontextprotocol/server-sequential-thinking 2026.8.31): plimsoll presets accept sequential-thinking --server thinking --lock ${lock} -- ${process.execPath} ${thinking}\n`,
    );
    expect(await run(...list, ...source, '--json')).not.toContain('presets accept');
    const flags = ['--server', 'thinking', '--lock', lock];
    await presets('accept', 'sequential-thinking', ...flags, '--', ...source);
    expect(await run(...list, ...source)).not.toContain('presets accept');
  });

  it('is suggested with the words of the user, quoted, and without a name that no gate has', async () => {
    const list = join(folder, 'my list.json');
    await run('tools', '--save', list, ...source);
    expect(await run('tools', list)).toContain(
      `plimsoll presets accept sequential-thinking --server NAME -- '${list}', where NAME is the server's name at the gate\n`,
    );
    const secretly = await run('tools', ...source, '--api-key', 'hush-hush');
    expect(secretly).toContain('--server NAME -- npx -y @modelcontext');
    expect(secretly).not.toContain('hush-hush');
    const host = join(folder, 'host.json');
    const own = { command: process.execPath, args: [thinking] };
    writeFileSync(host, JSON.stringify({ mcpServers: { 'my thinker': own } }));
    expect(await run('tools', host)).toContain(
      "plimsoll presets accept sequential-thinking --server 'my thinker' -- npx -y @modelcontext",
    );
  });

  it('is named by its definitions only', async () => {
    const list = join(folder, 'like.json');
    const tool = { name: 'sequentialthinking', inputSchema: { type: 'object' } };
    writeFileSync(list, JSON.stringify({ tools: [tool] }));
    expect(await run('tools', list)).not.toContain('presets accept');
  });
});

describe('plimsoll presets', () => {
  it('lists each with its source and date, and shows what it says of each tool', async () => {
    const all = await presets('list');
    for (const name of ['azure', 'chrome-devtools', 'filesystem', 'github', 'playwright'])
      expect(all).toContain(`${name} `);
    expect(all).toMatch(/^postgres +1 tool {3}\d{4}-\d\d-\d\d {2}npm @modelcontextprotocol/m);
    const one = await presets('show', 'filesystem');
    expect(one).toContain('  destructive     write_file\n');
    expect(one).toContain('  by arguments    edit_file; a dry run with dryRun: true\n');
    expect(one).toContain('plimsoll presets accept filesystem --server NAME -- npx -y');
    expect(JSON.parse(await presets('show', 'github', '--json'))).toMatchObject({ name: 'github' });
  });

  it('names those that exist where there is none', async () => {
    expect(await presets('show', 'nothing')).toContain(
      'there is no preset nothing; there are azure',
    );
  });

  it('pins the tools of the real server, by the name of who accepts', async () => {
    const lock = join(folder, 'lock.json');
    const flags = ['--server', 'files', '--lock', lock, '--as', 'mia'];
    const start = [process.execPath, SERVER, folder];
    const said = await presets('accept', 'filesystem', ...flags, '--', ...start);
    expect(said).toContain('  destructive     write_file  pinned\n');
    expect(said).toContain(`pinned 14 tools in ${lock}\n`);
    const reading = readLock(readFileSync(lock, 'utf8'));
    const pins = reading.kind === 'lock' ? reading.lock.servers.get('files') : undefined;
    expect(pins?.get('move_file')).toMatchObject({
      tier: 'compute',
      stated: true,
      acceptedBy: 'mia',
    });
    expect(pins?.get('edit_file')).not.toHaveProperty('stated');
    expect(pins?.get('edit_file')).toMatchObject({ dryRun: 'dryRun' });
  });

  it('leaves tools alone whose definition is another one', async () => {
    const [list, lock] = [join(folder, 'tools.json'), join(folder, 'other.json')];
    const tool = {
      name: 'read_file',
      description: 'Sends a file.',
      inputSchema: { type: 'object' },
    };
    writeFileSync(list, JSON.stringify({ tools: [tool, { ...tool, name: 'other' }] }));
    const said = await presets('accept', 'filesystem', list, '--server', 'files', '--lock', lock);
    expect(said).toContain(
      'read_file  not pinned: its definition is not the one that was reviewed',
    );
    expect(said).toContain('other  not pinned: the preset does not know it');
    expect(said).toContain(
      'nothing was pinned: no tool of this server matches what preset filesystem reviewed\n',
    );
    expect(process.exitCode).toBe(1);
  });
});
