import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileKindOf, findHostFiles } from './known-hosts.ts';

let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-hosts-'));
});

afterEach(() => rmSync(home, { recursive: true }));

function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), '');
  }
}

function find(platform: NodeJS.Platform, more: Readonly<Record<string, string>> = {}): unknown {
  const environment = { HOME: home, USERPROFILE: home, ...more };
  const found = findHostFiles({ environment, platform, project: join(home, 'project') });
  return found.map(({ host, file }) => `${host}: ${file.slice(home.length + 1)}`);
}

const ANYWHERE = [
  'Claude Code: .claude.json',
  'Claude Code: project/.mcp.json',
  'Cursor: .cursor/mcp.json',
  'Cursor: project/.cursor/mcp.json',
  'VS Code: project/.vscode/mcp.json',
  'Windsurf: .codeium/windsurf/mcp_config.json',
  'Codex: .codex/config.toml',
  'Codex: project/.codex/config.toml',
  'Gemini CLI: .gemini/settings.json',
  'Gemini CLI: project/.gemini/settings.json',
  'Zed: .config/zed/settings.json',
  'Zed: project/.zed/settings.json',
  'Continue: .continue/config.yaml',
  'Continue: .continue/mcpServers/shop.yaml',
  'Continue: project/.continue/mcpServers/notes.json',
  'opencode: .config/opencode/opencode.json',
  'opencode: project/opencode.jsonc',
  'LM Studio: .lmstudio/mcp.json',
];

it.each([
  ['linux', '.config'],
  ['darwin', 'Library/Application Support'],
  ['win32', 'AppData/Roaming'],
] as const)('finds every host on %s', (platform, applications) => {
  const own = [
    `Claude Desktop: ${applications}/Claude/claude_desktop_config.json`,
    `VS Code: ${applications}/Code/User/mcp.json`,
  ];
  const expected = [...ANYWHERE, ...own];
  put(...expected.map((line) => line.replace(/^[^:]+: /, '')), '.continue/mcpServers/notes.txt');
  expect(new Set(find(platform) as string[])).toEqual(new Set(expected));
});

it('follows the variables that move a folder', () => {
  put('elsewhere/config.toml', 'settings/zed/settings.json');
  const found = find('linux', {
    CODEX_HOME: join(home, 'elsewhere'),
    XDG_CONFIG_HOME: join(home, 'settings'),
  });
  expect(found).toEqual(['Codex: elsewhere/config.toml', 'Zed: settings/zed/settings.json']);
});

it('knows a file by its name', () => {
  expect(fileKindOf('/home/ann/.gemini/settings.json')).toEqual({ format: 'json', isGemini: true });
  expect(fileKindOf('/home/ann/.zed/settings.json')).toEqual({ format: 'json', isGemini: false });
  expect(fileKindOf('config.toml').format).toBe('toml');
  expect(fileKindOf('config.yaml').format).toBe('yaml');
});
