/**
 * The servers of a host's configuration, found by its shape: Claude Desktop, Claude Code (with projects),
 * Cursor and Windsurf under `mcpServers`, VS Code under `servers` or in its settings under `mcp`. Each is
 * read as a command, a URL, or one that the gate is already in front of.
 */
import { basename } from 'node:path/posix';
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

type HostServer = CommandServer | RemoteServer | WrappedServer | OtherServer;

export interface CommandServer {
  readonly kind: 'command';
  readonly command: Member;
  readonly words: { readonly command: string; readonly args: readonly string[] };
  readonly args?: Node;
}

export interface RemoteServer {
  readonly kind: 'remote';
  readonly address: Member;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly headersMember?: Member;
  readonly type?: Member;
}

/** `before` is what the gate was put in front of. */
export interface WrappedServer {
  readonly kind: 'wrapped';
  readonly command: Member;
  readonly args: Node;
  readonly type?: Member;
  readonly before:
    | { readonly kind: 'command'; readonly command: string; readonly kept: number }
    | { readonly kind: 'remote'; readonly url: string; readonly headers: Headers };
}

type Headers = Readonly<Record<string, string>>;

export interface OtherServer {
  readonly kind: 'other';
  readonly why: 'no-address' | 'odd-args' | 'odd-headers' | 'sse' | 'headers-helper';
}

export function readServer(node: Node): HostServer {
  const command = memberOf(node, 'command');
  if (command !== undefined) return readCommand(node, command);
  const address = memberOf(node, 'url') ?? memberOf(node, 'serverUrl');
  return address === undefined ? { kind: 'other', why: 'no-address' } : readRemote(node, address);
}

function readCommand(node: Node, member: Member): HostServer {
  const command = textOf(member.value);
  const given = memberOf(node, 'args')?.value;
  const args = given === undefined ? [] : textsOf(given);
  if (command === undefined || args === undefined) return { kind: 'other', why: 'odd-args' };
  const list = given?.type === 'array' ? given : undefined;
  const before = list && readWrapping(command, args);
  const type = memberOf(node, 'type');
  if (before && list)
    return { kind: 'wrapped', command: member, args: list, before, ...(type && { type }) };
  const words = { command, args };
  return { kind: 'command', command: member, words, ...(list && { args: list }) };
}

function readRemote(node: Node, address: Member): HostServer {
  const url = textOf(address.value);
  if (url === undefined) return { kind: 'other', why: 'no-address' };
  const type = memberOf(node, 'type') ?? memberOf(node, 'transport');
  // The gate speaks streamable HTTP; the older transport would fail behind it.
  if (type !== undefined && textOf(type.value)?.toLowerCase() === 'sse')
    return { kind: 'other', why: 'sse' };
  if (memberOf(node, 'headersHelper') !== undefined)
    return { kind: 'other', why: 'headers-helper' };
  const headersMember = memberOf(node, 'headers');
  const headers = headersMember === undefined ? [] : toHeaders(headersMember.value);
  if (headers === undefined) return { kind: 'other', why: 'odd-headers' };
  return {
    kind: 'remote',
    address,
    url,
    headers,
    ...(headersMember && { headersMember }),
    ...(type && { type }),
  };
}

/** What `wrapConfig` writes: …, `gate`, …, `--name`, a name, then `--` or `--url`. */
function readWrapping(
  command: string,
  args: readonly string[],
): WrappedServer['before'] | undefined {
  const gate = args.indexOf('gate');
  if (gate === -1 || ![command, ...args.slice(0, gate)].some(isOurs)) return undefined;
  for (let at = args.indexOf('--name', gate); at !== -1; at = args.indexOf('--name', at + 1)) {
    const [mark, first, ...rest] = args.slice(at + 2);
    if (first === undefined) continue;
    if (mark === '--') return { kind: 'command', command: first, kept: rest.length };
    if (mark === '--url') return { kind: 'remote', url: first, headers: fromFlags(rest) };
  }
  return undefined;
}

function fromFlags(flags: readonly string[]): Headers {
  const headers: [string, string][] = [];
  flags.forEach((flag, at) => {
    const [name = '', ...value] = (flags[at + 1] ?? '').split(': ');
    if (flag === '--header') headers.push([name, value.join(': ')]);
  });
  return Object.fromEntries(headers);
}

function isOurs(word: string): boolean {
  return /^plimsoll(?:@[^/]+)?(?:\.(?:cmd|exe|ps1|js))?$/i.test(
    basename(word.replaceAll('\\', '/')),
  );
}

function toHeaders(node: Node): readonly (readonly [string, string])[] | undefined {
  if (node.type !== 'object') return undefined;
  const headers = membersOf(node).map(({ key, value }) => [key, textOf(value)] as const);
  // As one argument, an odd name or a value with a line end would be read as something else.
  const sound = headers.every(
    ([key, value]) => value !== undefined && /^[\w-]+$/.test(key) && !/[\r\n]/.test(value),
  );
  return sound ? headers.map(([key, value]) => [key, value ?? '']) : undefined;
}

function textOf(node: Node): string | undefined {
  return node.type === 'string' ? String(node.value) : undefined;
}

function textsOf(node: Node): readonly string[] | undefined {
  const values = valueOf(node);
  if (!Array.isArray(values)) return undefined;
  return values.every((value) => typeof value === 'string') ? values : undefined;
}
