/**
 * Finds the servers of a host's configuration by its shape: Claude Desktop, Claude Code (with projects),
 * Cursor and Windsurf under `mcpServers`, VS Code under `servers` or in its settings under `mcp`.
 */
import type { JsoncMember, JsoncNode, JsoncObject } from './jsonc.ts';
import { memberOf } from './jsonc.ts';

export interface ServerEntry {
  readonly name: string;
  /** The keys that lead to it. */
  readonly path: readonly string[];
  readonly node: JsoncObject;
}

export interface OddEntry {
  readonly path: readonly string[];
  readonly name: string;
  readonly why: 'not-an-object' | 'named-twice' | 'member-twice';
}

interface ServersFound {
  /** Undefined when nothing in it has the shape of a host's configuration. */
  readonly layout: Layout | undefined;
  readonly servers: readonly ServerEntry[];
  readonly odd: readonly OddEntry[];
}

export type Layout = 'mcpServers' | 'servers' | 'settings';

export function findServers(root: JsoncNode): ServersFound {
  const maps = [...mapsOf(root)];
  const servers: ServerEntry[] = [];
  const odd: OddEntry[] = [];
  for (const { path, map } of maps) {
    for (const member of map.members) {
      const why = findOddity(map, member);
      const entry = { name: member.key, path: [...path, member.key] };
      if (why !== undefined) odd.push({ ...entry, why });
      else if (member.value.kind === 'object') servers.push({ ...entry, node: member.value });
    }
  }
  return { layout: maps[0]?.layout, servers, odd };
}

interface ServerMap {
  readonly layout: Layout;
  readonly path: readonly string[];
  readonly map: JsoncObject;
}

function* mapsOf(root: JsoncNode): Generator<ServerMap> {
  yield* mapAt(root, 'mcpServers', ['mcpServers']);
  yield* mapAt(root, 'settings', ['mcp', 'servers']);
  yield* mapAt(root, 'settings', ['mcp.servers']);
  const projects = memberOf(root, 'projects')?.value;
  if (projects?.kind === 'object')
    for (const { key } of projects.members)
      yield* mapAt(root, 'mcpServers', ['projects', key, 'mcpServers']);
  // The word is a common one; it counts when what stands there are servers.
  for (const found of mapAt(root, 'servers', ['servers']))
    if (found.map.members.every(({ value }) => looksLikeServer(value))) yield found;
}

function* mapAt(root: JsoncNode, layout: Layout, path: readonly string[]): Generator<ServerMap> {
  let node: JsoncNode | undefined = root;
  for (const key of path) node = memberOf(node, key)?.value;
  if (node?.kind === 'object') yield { layout, path, map: node };
}

function looksLikeServer(node: JsoncNode): boolean {
  return ['command', 'url', 'serverUrl'].some((key) => memberOf(node, key) !== undefined);
}

/** Of two equal keys hosts see one and people another. */
function findOddity(map: JsoncObject, member: JsoncMember): OddEntry['why'] | undefined {
  if (member.value.kind !== 'object') return 'not-an-object';
  if (memberOf(map, member.key) !== member || countKey(map, member.key) > 1) return 'named-twice';
  const { members } = member.value;
  return new Set(members.map(({ key }) => key)).size < members.length ? 'member-twice' : undefined;
}

function countKey(map: JsoncObject, key: string): number {
  return map.members.filter((member) => member.key === key).length;
}
