/** Every host that wrap knows, by the file at its own place: found, wrapped, and restored byte for byte. */
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { useOwnHome } from './support/own-home.ts';
import { runMain } from './support/run-main.ts';

/** The fixture of each host, and where the host has it. */
const HOSTS = [
  ['Claude Desktop', 'claude-desktop.json', '.config/Claude/claude_desktop_config.json'],
  ['Claude Code', 'claude-code.json', '.mcp.json'],
  ['Claude Code', 'claude-code-user.json', '.claude.json'],
  ['Cursor', 'cursor.jsonc', '.cursor/mcp.json'],
  ['VS Code', 'vscode.jsonc', '.config/Code/User/mcp.json'],
  ['VS Code', 'vscode-settings.jsonc', '.config/Code/User/settings.json'],
  ['Windsurf', 'windsurf.json', '.codeium/windsurf/mcp_config.json'],
  ['Codex', 'codex.toml', '.codex/config.toml'],
  ['Gemini CLI', 'gemini.json', '.gemini/settings.json'],
  ['Zed', 'zed.jsonc', '.config/zed/settings.json'],
  ['Continue', 'continue.yaml', '.continue/config.yaml'],
  ['opencode', 'opencode.jsonc', '.config/opencode/opencode.jsonc'],
  ['LM Studio', 'lm-studio.json', '.lmstudio/mcp.json'],
] as const;

const home = useOwnHome();

async function plimsoll(...args: readonly string[]): Promise<string> {
  vi.spyOn(process, 'cwd').mockReturnValue(home());
  return (await runMain(args)).said;
}

/** With what people leave in such files. */
function put(fixture: string, path: string): Buffer {
  const file = join(home(), path);
  mkdirSync(dirname(file), { recursive: true });
  const text = readFileSync(join('test/fixtures/hosts', fixture), 'utf8');
  const isJson = /\.jsonc?$/.test(fixture);
  const commented = isJson
    ? text.replace('{', '{ // mine: "a", {b}\n  ')
    : `# mine: "a", {b}\n${text}`;
  // Some have it already.
  const loose = isJson ? commented.replace(/,?(?=\s*\}\s*$)/, ',') : commented;
  writeFileSync(file, loose);
  return readFileSync(file);
}

describe.each(HOSTS)('%s, %s', (host, fixture, path) => {
  it('is found, wrapped, and restored byte for byte, with comments and trailing commas', async () => {
    const before = put(fixture, path);
    const report = await plimsoll('wrap', '--yes');
    expect(report).toContain(`${host}: ${join(home(), path)}`);
    expect(report).toContain('wrapped ');
    const wrapped = readFileSync(join(home(), path), 'utf8');
    expect(wrapped).toContain('mine: "a", {b}');
    expect(wrapped).toContain('gate');
    expect(await plimsoll('wrap', '--yes')).toContain('there is nothing to wrap');
    expect(await plimsoll('unwrap')).toContain('restored byte for byte');
    expect(readFileSync(join(home(), path))).toEqual(before);
  });

  it('is refused where its file is a symbolic link, which stays as it is', async () => {
    const before = put(fixture, path);
    const elsewhere = join(home(), `elsewhere-${fixture}`);
    renameSync(join(home(), path), elsewhere);
    symlinkSync(elsewhere, join(home(), path));
    for (const args of [
      ['wrap', '--yes'],
      ['wrap', '--yes', join(home(), path)],
    ]) {
      expect(await plimsoll(...args)).toContain('is a link, which a repository may have brought');
    }
    expect(lstatSync(join(home(), path)).isSymbolicLink()).toBe(true);
    expect(readFileSync(elsewhere)).toEqual(before);
  });
});
