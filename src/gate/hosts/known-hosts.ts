/** Which hosts there are, and where each keeps its servers: for the user, and in a project's folder. */
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { formatOf } from './host-text.ts';
import type { FileKind } from './wrap-config.ts';

interface KnownHost {
  readonly name: string;
  /** Relative to one of the folders below; a `*` is any file there. */
  readonly files: readonly HostPath[];
}

interface HostPath {
  readonly base: Base;
  readonly path: string;
}

/** The user's folder, that of settings, that of applications, and the project's. */
type Base = 'home' | 'config' | 'applications' | 'codex' | 'project';

const KNOWN_HOSTS: readonly KnownHost[] = Object.freeze([
  host('Claude Desktop', ['applications', 'Claude/claude_desktop_config.json']),
  host('Claude Code', ['home', '.claude.json'], ['project', '.mcp.json']),
  host('Cursor', ['home', '.cursor/mcp.json'], ['project', '.cursor/mcp.json']),
  host(
    'VS Code',
    ['applications', 'Code/User/mcp.json'],
    ['applications', 'Code/User/settings.json'],
    ['applications', 'Code - Insiders/User/mcp.json'],
    ['project', '.vscode/mcp.json'],
  ),
  host('Windsurf', ['home', '.codeium/windsurf/mcp_config.json']),
  host('Codex', ['codex', 'config.toml'], ['project', '.codex/config.toml']),
  host('Gemini CLI', ['home', '.gemini/settings.json'], ['project', '.gemini/settings.json']),
  host(
    'Zed',
    ['config', 'zed/settings.json'],
    ['applications', 'Zed/settings.json'],
    ['project', '.zed/settings.json'],
  ),
  host(
    'Continue',
    ['home', '.continue/config.yaml'],
    ['home', '.continue/mcpServers/*'],
    ['project', '.continue/mcpServers/*'],
  ),
  host(
    'opencode',
    ['config', 'opencode/opencode.json'],
    ['config', 'opencode/opencode.jsonc'],
    ['project', 'opencode.json'],
    ['project', 'opencode.jsonc'],
  ),
  host('LM Studio', ['home', '.lmstudio/mcp.json'], ['home', '.cache/lm-studio/mcp.json']),
]);

function host(name: string, ...files: readonly (readonly [Base, string])[]): KnownHost {
  return { name, files: files.map(([base, path]) => ({ base, path })) };
}

export interface HostFile {
  readonly host: string;
  readonly file: string;
}

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly project: string;
}

/** The files that are there, in the order of the table. */
export function findHostFiles({
  environment = process.env,
  platform = process.platform,
  project = process.cwd(),
}: Partial<Surroundings> = {}): readonly HostFile[] {
  const folders = toFolders({ environment, platform, project });
  const seen = new Set<string>();
  return KNOWN_HOSTS.flatMap(({ name, files }) =>
    files
      .flatMap(({ base, path }) => expand(join(folders[base], path)))
      .filter((file) => existsSync(file) && !seen.has(file) && seen.add(file))
      .map((file) => ({ host: name, file })),
  );
}

function toFolders({ environment, platform, project }: Surroundings): Record<Base, string> {
  const given = (name: string, otherwise: string): string => {
    const value = environment[name] ?? '';
    return isAbsolute(value) ? value : otherwise;
  };
  const home = given(platform === 'win32' ? 'USERPROFILE' : 'HOME', homedir());
  const config = given('XDG_CONFIG_HOME', join(home, '.config'));
  const applications: Partial<Record<NodeJS.Platform, string>> = {
    win32: given('APPDATA', join(home, 'AppData/Roaming')),
    darwin: join(home, 'Library/Application Support'),
  };
  return {
    home,
    config,
    applications: applications[platform] ?? config,
    codex: given('CODEX_HOME', join(home, '.codex')),
    project: resolve(project),
  };
}

function expand(path: string): readonly string[] {
  if (!path.endsWith('*')) return [path];
  const folder = path.slice(0, -1);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /\.(?:ya?ml|json)$/i.test(name));
  return names.toSorted().map((name) => join(folder, name));
}

export function fileKindOf(file: string): FileKind {
  const isGemini = /(?:^|[\\/])\.gemini[\\/][^\\/]+$/.test(resolve(file));
  return { format: formatOf(file), isGemini };
}
