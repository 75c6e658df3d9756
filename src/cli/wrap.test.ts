/** `plimsoll wrap` and `plimsoll unwrap` as a person runs them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { unwrapCommand } from './unwrap.ts';
import { wrapCommand } from './wrap.ts';

const TEXT = `{
  "mcpServers": {
    "notes": { "command": "notes-mcp" }, // ours
    "old": { "type": "sse", "url": "https://old.example/sse" },
  }
}`;

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
  await command.parseAsync([file, ...flags], { from: 'user' });
  vi.restoreAllMocks();
  return out;
}

function read(): string {
  return readFileSync(file, 'utf8');
}

describe('plimsoll wrap', () => {
  it('shows the diff and what is left, writes, and unwrap restores', async () => {
    const out = await run(wrapCommand(), '--yes');
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
