/** `plimsoll wrap` and `plimsoll unwrap` as a person runs them. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VERSION } from '../lib/version.ts';
import { unwrapCommand } from './unwrap.ts';
import { wrapCommand } from './wrap.ts';

const TEXT = `{
  "mcpServers": {
    "notes": { "command": "notes-mcp" }, // ours
    "old": { "type": "sse", "url": "https://old.example/sse" },
  }
}`;

/** Instead of a file. */
const ALL = 'all hosts';

let home = '';
let scratch = '';
let file = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-wrap-'));
  scratch = join(home, 'project');
  mkdirSync(scratch);
  vi.stubEnv('XDG_STATE_HOME', join(home, 'state'));
  file = join(scratch, 'mcp.json');
  writeFileSync(file, TEXT);
});

afterEach(() => {
  rmSync(home, { recursive: true });
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function run(command: Command, ...flags: readonly string[]): Promise<string> {
  let out = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  const files = flags.includes(ALL) ? [] : [file];
  const words = flags.filter((flag) => flag !== ALL);
  await command.parseAsync([...files, ...words], { from: 'user' });
  vi.restoreAllMocks();
  return out;
}

function read(): string {
  return readFileSync(file, 'utf8');
}

function commandOf(name: string): { readonly command: string; readonly args: readonly string[] } {
  const text = read()
    .replaceAll(/ \/\/.*$/gm, '')
    .replaceAll(/,(?=\s*\})/g, '');
  const { mcpServers } = JSON.parse(text) as {
    mcpServers: Record<string, { command: string; args: readonly string[] }>;
  };
  return mcpServers[name] ?? { command: '', args: [] };
}

describe('plimsoll wrap', () => {
  it('shows the diff and what is left, writes, and unwrap restores', async () => {
    const out = await run(wrapCommand(), '--yes', '--gate-command', 'plimsoll');
    expect(out).toContain('-    "notes": { "command": "notes-mcp" }, // ours\n');
    expect(out).toContain(
      '+    "notes": { "command": "plimsoll", "args": ["gate", "--name", "notes", "--", "notes-mcp"] }, // ours\n',
    );
    expect(out).toContain('mcpServers.old is skipped: it uses the old SSE transport');
    expect(out).toContain(
      `the original file is in ${join(home, 'state/plimsoll/wraps/mcp.json-')}`,
    );
    expect(read()).toContain('"--", "notes-mcp"');
    expect(await run(unwrapCommand(), '--yes')).toBe('restored byte for byte\n');
    expect(read()).toBe(TEXT);
  });

  it('writes nothing with --dry-run, or when nobody can be asked', async () => {
    expect(await run(wrapCommand(), '--dry-run')).toContain('nothing was written');
    await expect(run(wrapCommand())).rejects.toThrow(/--yes/);
    expect(read()).toBe(TEXT);
    expect(readdirSync(scratch)).toEqual(['mcp.json']);
  });

  it('hands on words for the gate', async () => {
    await run(
      wrapCommand(),
      '--yes',
      '--gate-command',
      '/opt/plimsoll',
      '--gate-arg=--mode',
      '--gate-arg=live',
    );
    expect(read()).toContain(
      '"/opt/plimsoll", "args": ["gate", "--mode", "live", "--name", "notes", "--", "notes-mcp"]',
    );
    expect(await run(wrapCommand(), '--yes')).toContain('there is nothing to wrap');
  });

  it('writes a command that starts from anywhere, unless it is told another one', async () => {
    await run(wrapCommand(), '--yes');
    const { command } = commandOf('notes');
    expect(isAbsolute(command)).toBe(true);
    const { stdout } = await promisify(execFile)(command, ['--version'], { cwd: '/', env: {} });
    expect(stdout).toBe(`${VERSION}\n`);
  });

  it('takes a command of several words', async () => {
    await run(wrapCommand(), '--yes', '--gate-command', 'npx -y "plimsoll@0.1.0"');
    expect(commandOf('notes')).toEqual({
      command: 'npx',
      args: ['-y', 'plimsoll@0.1.0', 'gate', '--name', 'notes', '--', 'notes-mcp'],
    });
    writeFileSync(file, `${read()}\n`);
    expect(await run(unwrapCommand())).toContain('notes: restored');
    expect(read()).toBe(`${TEXT}\n`);
  });

  it('takes a path with spaces for one word', async () => {
    const program = join(home, 'my plimsoll');
    writeFileSync(program, '');
    await run(wrapCommand(), '--yes', '--gate-command', program);
    expect(commandOf('notes').command).toBe(program);
  });

  it('says what to do next, also where a server may want a sign-in', async () => {
    writeFileSync(file, '{"mcpServers":{"crm":{"url":"https://crm.example/mcp"}}}');
    const out = await run(wrapCommand(), '--yes');
    expect(out).toContain('Restart the host.');
    expect(out).toContain('If crm wants you to sign in: plimsoll login https://crm.example/mcp');
    expect(out).toContain('plimsoll approve --watch');
    expect(out).toContain('plimsoll unwrap');
  });

  it('prints JSON', async () => {
    expect(JSON.parse(await run(wrapCommand(), '--yes', '--json'))).toMatchObject({
      layout: 'mcpServers',
      written: true,
      wrapped: [{ name: 'notes' }],
      skipped: [{ name: 'old', why: 'sse' }],
    });
    expect(JSON.parse(await run(unwrapCommand(), '--json'))).toMatchObject({ kind: 'restored' });
  });

  it('says what is wrong with a file, and where', async () => {
    writeFileSync(file, '{ "mcpServers": { oops } }');
    await expect(run(wrapCommand(), '--yes')).rejects.toThrow(/line 1, column 19/);
    await expect(run(unwrapCommand())).rejects.toThrow(/line 1, column 19/);
  });

  it('keeps what steers a terminal out of it', async () => {
    writeFileSync(file, '{"mcpServers":{"a":{"command":"x"}}} // \u{1b}[2J');
    expect(await run(wrapCommand(), '--dry-run')).not.toContain('\u{1b}');
  });

  it('tells of servers that were changed since', async () => {
    await run(wrapCommand(), '--yes');
    writeFileSync(file, read().replace('"notes-mcp"]', '"notes-mcp", "-v"]'));
    expect(await run(unwrapCommand())).toContain('notes: changed since');
    expect(read()).toContain('"notes": { "command": "notes-mcp", "args": ["-v"] }, // ours');
  });
});

describe('plimsoll wrap without a file', () => {
  const cursor = (): string => join(home, '.cursor/mcp.json');
  const codex = (): string => join(home, '.codex/config.toml');
  const CODEX = '# mine\n[mcp_servers.shop]\ncommand = "shop-mcp" # ours\n';

  beforeEach(() => {
    for (const path of [cursor(), codex()]) mkdirSync(dirname(path));
    writeFileSync(cursor(), TEXT);
    writeFileSync(codex(), CODEX);
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CONFIG_HOME', join(home, '.config'));
    vi.stubEnv('CODEX_HOME', '');
    vi.spyOn(process, 'cwd').mockReturnValue(scratch);
  });

  it('finds the hosts, shows what it would do, and writes nothing', async () => {
    const out = await run(wrapCommand(), ALL);
    expect(out).toContain(`Cursor: ${cursor()}\n`);
    expect(out).toContain(`Codex: ${codex()}\n`);
    expect(out).toContain('+command = ');
    expect(out).toContain('nothing was written; plimsoll wrap --yes writes all of it');
    expect(readFileSync(cursor(), 'utf8')).toBe(TEXT);
  });

  it('wraps all with --yes, and unwrap brings all back', async () => {
    const out = await run(wrapCommand(), ALL, '--yes');
    expect(out).toContain('Restart Cursor, Codex.');
    expect(readFileSync(codex(), 'utf8')).toContain('"--", "shop-mcp"] # ours');
    const back = await run(unwrapCommand(), ALL);
    expect(back).toContain(`${cursor()}: restored byte for byte\n`);
    expect(back).toContain(`${codex()}: restored byte for byte\n`);
    expect(readFileSync(cursor(), 'utf8')).toBe(TEXT);
    expect(readFileSync(codex(), 'utf8')).toBe(CODEX);
    expect(await run(unwrapCommand(), ALL)).toBe('nothing is wrapped\n');
  });

  it('leaves a link alone and goes on with the others', async () => {
    rmSync(cursor());
    symlinkSync(codex(), cursor());
    const out = await run(wrapCommand(), ALL, '--yes');
    expect(out).toContain(`Cursor: ${cursor()} was not changed: ${cursor()} is a link`);
    expect(readFileSync(codex(), 'utf8')).toContain('"--", "shop-mcp"] # ours');
  });

  it('prints all of it as JSON', async () => {
    expect(JSON.parse(await run(wrapCommand(), ALL, '--json', '--dry-run'))).toMatchObject({
      files: [
        { host: 'Cursor', file: cursor(), written: false, wrapped: [{ name: 'notes' }] },
        { host: 'Codex', file: codex(), written: false, wrapped: [{ name: 'shop' }] },
      ],
    });
  });
});
