/**
 * The servers of a host's configuration, found by its shape: under `mcpServers` (most hosts; a list for
 * Continue), `servers` or `mcp.servers` (VS Code), `mcp_servers` (Codex), `context_servers` (Zed) or `mcp`
 * (opencode).
 */
import type { Node } from 'jsonc-parser';
import type { Dialect } from './dialects.ts';
import { DIALECTS } from './dialects.ts';
import type { Member } from './host-json.ts';
import { memberOf, membersOf, textOf } from './host-json.ts';

export interface ServerEntry {
  readonly name: string;
  /** The keys that lead to it. */
  readonly path: readonly string[];
  /** An object. */
  readonly node: Node;
  readonly dialect: Dialect;
}

export interface OddEntry {
  readonly path: readonly string[];
  readonly name: string;
  readonly why: 'not-an-object' | 'named-twice' | 'member-twice' | 'no-name';
}

interface ServersFound {
  /** Undefined when nothing in it has the shape of a host's configuration. */
  readonly layout: Layout | undefined;
  readonly servers: readonly ServerEntry[];
  readonly odd: readonly OddEntry[];
}

export type Layout =
  | 'mcpServers'
  | 'servers'
  | 'settings'
  | 'mcp_servers'
  | 'context_servers'
  | 'opencode';

/** In the files of Gemini CLI a `url` means another transport than elsewhere. */
export function findServers(root: Node, isGemini = false): ServersFound {
  const maps = [...mapsOf(root, isGemini)];
  const servers: ServerEntry[] = [];
  const odd: OddEntry[] = [];
  for (const { path, map, dialect } of maps) {
    const members = map.type === 'array' ? itemsOf(map) : membersOf(map);
    for (const [at, member] of members.entries()) {
      const why = findOddity(members, member);
      const key = map.type === 'array' ? String(at) : member.key;
      const entry = { name: member.key, path: [...path, key] };
      if (why !== undefined) odd.push({ ...entry, why });
      else if (member.value.type === 'object')
        servers.push({ ...entry, node: member.value, dialect });
    }
  }
  return { layout: maps[0]?.layout, servers, odd };
}

interface ServerMap {
  readonly layout: Layout;
  readonly path: readonly string[];
  /** An object, or a list of objects with names. */
  readonly map: Node;
  readonly dialect: Dialect;
}

function* mapsOf(root: Node, isGemini: boolean): Generator<ServerMap> {
  const { common, gemini, codex, opencode } = DIALECTS;
  yield* mapAt(root, 'mcpServers', ['mcpServers'], isGemini ? gemini : common);
  yield* listAt(root, ['mcpServers']);
  yield* mapAt(root, 'settings', ['mcp', 'servers'], common);
  yield* mapAt(root, 'settings', ['mcp.servers'], common);
  yield* mapAt(root, 'mcp_servers', ['mcp_servers'], codex);
  yield* mapAt(root, 'context_servers', ['context_servers'], common);
  const projects = memberOf(root, 'projects')?.value;
  for (const { key } of membersOf(projects))
    yield* mapAt(root, 'mcpServers', ['projects', key, 'mcpServers'], common);
  // These words are common ones; they count when their values are servers.
  for (const found of mapAt(root, 'servers', ['servers'], common))
    if (membersOf(found.map).every(({ value }) => looksLikeServer(value))) yield found;
  for (const found of mapAt(root, 'opencode', ['mcp'], opencode))
    if (membersOf(found.map).every(({ value }) => isLocalOrRemote(value))) yield found;
}

function* mapAt(
  root: Node,
  layout: Layout,
  path: readonly string[],
  dialect: Dialect,
): Generator<ServerMap> {
  let node: Node | undefined = root;
  for (const key of path) node = memberOf(node, key)?.value;
  if (node?.type === 'object') yield { layout, path, map: node, dialect };
}

function* listAt(root: Node, path: readonly [string]): Generator<ServerMap> {
  const map = memberOf(root, path[0])?.value;
  if (map?.type === 'array') yield { layout: 'mcpServers', path, map, dialect: DIALECTS.continue };
}

/** Of a list: each under its name, like the members of an object. */
function itemsOf({ children = [] }: Node): readonly Member[] {
  return children.map((value) => {
    const name = memberOf(value, 'name')?.value;
    const key = (name && textOf(name)) ?? '';
    return { key, keyStart: value.offset, keyLength: 0, value };
  });
}

function looksLikeServer(node: Node): boolean {
  return ['command', 'url', 'serverUrl'].some((key) => memberOf(node, key) !== undefined);
}

function isLocalOrRemote(node: Node): boolean {
  const type = memberOf(node, 'type')?.value;
  return type !== undefined && ['local', 'remote'].includes(textOf(type) ?? '');
}

/** Of two equal keys hosts use one and people may read the other. */
function findOddity(members: readonly Member[], member: Member): OddEntry['why'] | undefined {
  if (member.value.type !== 'object') return 'not-an-object';
  if (member.keyLength === 0 && member.key === '') return 'no-name';
  if (members.filter(({ key }) => key === member.key).length > 1) return 'named-twice';
  const own = membersOf(member.value);
  return new Set(own.map(({ key }) => key)).size < own.length ? 'member-twice' : undefined;
}
