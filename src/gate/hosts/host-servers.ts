/**
 * The servers of a host's configuration, found by its shape: Claude Desktop, Claude Code (with projects),
 * Cursor and Windsurf under `mcpServers`, VS Code under `servers` or in its settings under `mcp`. Each is
 * read as a command or a URL.
 */
import type { Node } from 'jsonc-parser';
import type { Member } from './host-json.ts';
import { memberOf, membersOf, valueOf } from './host-json.ts';

export interface ServerEntry {
  readonly name: string;
  /** The keys that lead to it. */
  readonly path: readonly string[];
  /** An object. */
  readonly node: Node;
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

export function findServers(root: Node): ServersFound {
  const maps = [...mapsOf(root)];
  const servers: ServerEntry[] = [];
  const odd: OddEntry[] = [];
  for (const { path, map } of maps) {
    for (const member of membersOf(map)) {
      const why = findOddity(map, member);
      const entry = { name: member.key, path: [...path, member.key] };
      if (why !== undefined) odd.push({ ...entry, why });
      else if (member.value.type === 'object') servers.push({ ...entry, node: member.value });
    }
  }
  return { layout: maps[0]?.layout, servers, odd };
}

interface ServerMap {
  readonly layout: Layout;
  readonly path: readonly string[];
  readonly map: Node;
}

function* mapsOf(root: Node): Generator<ServerMap> {
  yield* mapAt(root, 'mcpServers', ['mcpServers']);
  yield* mapAt(root, 'settings', ['mcp', 'servers']);
  yield* mapAt(root, 'settings', ['mcp.servers']);
  const projects = memberOf(root, 'projects')?.value;
  for (const { key } of membersOf(projects))
    yield* mapAt(root, 'mcpServers', ['projects', key, 'mcpServers']);
  // The word is a common one; it counts when its values are servers.
  for (const found of mapAt(root, 'servers', ['servers']))
    if (membersOf(found.map).every(({ value }) => looksLikeServer(value))) yield found;
}

function* mapAt(root: Node, layout: Layout, path: readonly string[]): Generator<ServerMap> {
  let node: Node | undefined = root;
  for (const key of path) node = memberOf(node, key)?.value;
  if (node?.type === 'object') yield { layout, path, map: node };
}

function looksLikeServer(node: Node): boolean {
  return ['command', 'url', 'serverUrl'].some((key) => memberOf(node, key) !== undefined);
}

/** Of two equal keys hosts use one and people may read the other. */
function findOddity(map: Node, member: Member): OddEntry['why'] | undefined {
  if (member.value.type !== 'object') return 'not-an-object';
  if (membersOf(map).filter(({ key }) => key === member.key).length > 1) return 'named-twice';
  const members = membersOf(member.value);
  return new Set(members.map(({ key }) => key)).size < members.length ? 'member-twice' : undefined;
}

type HostServer = CommandServer | RemoteServer | OtherServer;

export interface CommandServer {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly envFile?: string;
}

export interface RemoteServer {
  readonly kind: 'remote';
  /** The name of the member that has the URL. */
  readonly member: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface OtherServer {
  readonly kind: 'other';
  readonly why:
    | 'no-address'
    | 'odd-args'
    | 'odd-env'
    | 'odd-headers'
    | 'sse'
    | 'headers-helper'
    | 'url-and-command';
}

export function readServer(node: Node): HostServer {
  const command = memberOf(node, 'command');
  if (command !== undefined) return readCommand(node, command);
  const address = memberOf(node, 'url') ?? memberOf(node, 'serverUrl');
  return address === undefined ? { kind: 'other', why: 'no-address' } : readRemote(node, address);
}

function readCommand(node: Node, member: Member): HostServer {
  const command = textOf(member.value);
  const args = readArgs(node);
  if (command === undefined || args === undefined) return { kind: 'other', why: 'odd-args' };
  const env = memberOf(node, 'env')?.value;
  const names = membersOf(env).map(({ key }) => key);
  const file = memberOf(node, 'envFile')?.value;
  const envFile = file && textOf(file);
  const isOdd = env !== undefined && env.type !== 'object';
  if (isOdd || (file !== undefined && !envFile) || !names.every(isVariable))
    return { kind: 'other', why: 'odd-env' };
  return { kind: 'command', command, args, env: names, ...(envFile && { envFile }) };
}

/** None is an empty list; undefined for what no host could start. */
export function readArgs(node: Node): readonly string[] | undefined {
  const args = memberOf(node, 'args')?.value;
  const values = args === undefined ? [] : valueOf(args);
  if (!Array.isArray(values)) return undefined;
  return values.every((value) => typeof value === 'string') ? values : undefined;
}

/** Between a name and a value there is a `=`, and a program cannot be started with a NUL. */
function isVariable(name: string): boolean {
  return name !== '' && !/[=\0]/.test(name);
}

/** What a host ignores beside a URL would work as soon as the gate is there as a command. */
const OF_COMMAND = ['args', 'env', 'envFile', 'cwd'];

function readRemote(node: Node, address: Member): HostServer {
  const url = textOf(address.value);
  if (url === undefined) return { kind: 'other', why: 'no-address' };
  const type = memberOf(node, 'type') ?? memberOf(node, 'transport');
  // The gate speaks streamable HTTP; the older transport would fail behind it.
  if (type !== undefined && textOf(type.value)?.toLowerCase() === 'sse')
    return { kind: 'other', why: 'sse' };
  if (memberOf(node, 'headersHelper') !== undefined)
    return { kind: 'other', why: 'headers-helper' };
  if (OF_COMMAND.some((key) => memberOf(node, key) !== undefined))
    return { kind: 'other', why: 'url-and-command' };
  const given = memberOf(node, 'headers');
  const headers = given === undefined ? {} : toHeaders(given.value);
  if (headers === undefined) return { kind: 'other', why: 'odd-headers' };
  return { kind: 'remote', member: address.key, url, headers };
}

function toHeaders(node: Node): Readonly<Record<string, string>> | undefined {
  if (node.type !== 'object') return undefined;
  const headers = membersOf(node).map(({ key, value }) => [key, textOf(value)] as const);
  // As a header line, an odd name or a value with a line end would be read as something else.
  const sound = headers.every(
    ([key, value]) => value !== undefined && /^[\w-]+$/.test(key) && !/[\r\n\0]/.test(value),
  );
  return sound ? Object.fromEntries(headers.map(([key, value]) => [key, value ?? ''])) : undefined;
}

export function textOf(node: Node): string | undefined {
  return node.type === 'string' ? String(node.value) : undefined;
}
