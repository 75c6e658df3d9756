/**
 * Puts several servers of a host's configuration behind one gate: one entry in the place of theirs. Takes only
 * plain entries of JSON, so that nothing of the host's own settings for a server is lost. Pure.
 */
import type { Node } from 'jsonc-parser';
import { findServers } from './find-servers.ts';
import type { ServerEntry } from './find-servers.ts';
import type { GateCommand } from './gated-entry.ts';
import { editJsonEntry, endOf, memberOf, membersOf, readHostJson, textOf } from './host-json.ts';
import { readGated } from './read-gated.ts';
import { readServer } from './read-server.ts';
import type { FileKind } from './wrap-config.ts';

export interface JoinableServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Servers side by side. */
export interface JoinGroup<Server extends JoinableServer = JoinableServer> {
  /** The keys that lead to what holds them. */
  readonly path: readonly string[];
  readonly servers: readonly Server[];
}

export interface JoinedEntry {
  /** Of the entry that stands for all of them. */
  readonly name: string;
  readonly path: readonly string[];
  /** What the gate reads them from. */
  readonly file: string;
  readonly servers: readonly { readonly name: string; readonly before: string }[];
}

/** What a host fills in would stand in a file that the host does not read. */
const FILLED_IN = /\$[\w{(]|\{(?:env|file):|%\w+%/;

/** By which a host says of a server what it would do anyway. */
const IS_ON: Readonly<Record<string, boolean>> = { enabled: true, disabled: false };

export function findJoinable(text: string, { format, isGemini }: FileKind): readonly JoinGroup[] {
  const json = format === 'json' ? readHostJson(text) : undefined;
  if (json?.kind !== 'json') return [];
  const plain = findServers(json.root, isGemini).servers.flatMap((entry) => {
    const server = toJoinable(entry);
    const isVaried = FILLED_IN.test(text.slice(entry.node.offset, endOf(entry.node)));
    return server === undefined || isVaried ? [] : [{ path: entry.path.slice(0, -1), server }];
  });
  const groups = Map.groupBy(plain, ({ path }) => JSON.stringify(path));
  return [...groups.values()].map((group) => ({
    path: group[0]?.path ?? [],
    servers: group.map(({ server }) => server),
  }));
}

function toJoinable({ name, node, dialect }: ServerEntry): JoinableServer | undefined {
  const server = readServer(node, dialect);
  const known = new Set(['command', 'args', 'type', dialect.env]);
  const isPlain = membersOf(node).every(
    ({ key, value }) => known.has(key) || (key in IS_ON && value.value === IS_ON[key]),
  );
  if (server.kind !== 'command' || !isPlain) return undefined;
  if (readGated(name, node, dialect) !== undefined || isTogether(server.args)) return undefined;
  const values = membersOf(memberOf(node, dialect.env)?.value);
  const env = values.map(({ key, value }) => [key, textOf(value)] as const);
  if (env.some(([, value]) => value === undefined)) return undefined;
  const { command, args } = server;
  return { name, command, args, env: Object.fromEntries(env) as JoinableServer['env'] };
}

function isTogether(args: readonly string[]): boolean {
  return args.includes('--together');
}

const OWN_NAME = 'plimsoll';

export function joinServers(
  text: string,
  { path, servers }: JoinGroup,
  gate: GateCommand,
  file: string,
  isGemini?: boolean,
): { readonly text: string; readonly entry: JoinedEntry } {
  const { root, map } = mapAt(text, path);
  const [first, ...others] = servers;
  const entries = findServers(root, isGemini).servers;
  const entry = entries.find(
    ({ name, node }) => name === first?.name && node.parent?.parent === map,
  );
  if (first === undefined || entry === undefined) throw new Error('there is nothing to join');
  const taken = new Set(membersOf(map).map(({ key }) => key));
  let name = OWN_NAME;
  for (let count = 2; taken.has(name); count += 1) name = `${OWN_NAME}-${count}`;
  const { isOneList, types } = entry.dialect;
  const args = [...gate.args, '--together', file];
  const type = memberOf(entry.node, 'type') === undefined ? {} : { type: types.command };
  const value = isOneList
    ? { ...type, command: [gate.command, ...args] }
    : { ...type, command: gate.command, args };
  const own = text.slice(map.offset, endOf(map));
  const joined = editJsonEntry(own, [
    { kind: 'replace', key: first.name, members: [[name, value]] },
    ...others.map((other) => ({ kind: 'remove', key: other.name }) as const),
  ]);
  const before = servers.map((server) => {
    const node = memberOf(map, server.name)?.value;
    return { name: server.name, before: node ? text.slice(node.offset, endOf(node)) : '' };
  });
  return {
    text: `${text.slice(0, map.offset)}${joined}${text.slice(endOf(map))}`,
    entry: { name, path: [...path, name], file, servers: before },
  };
}

/** The old entries in the place of the one that stands for them; undefined where it is no longer there. */
export function splitServers(text: string, entry: JoinedEntry): string | undefined {
  const json = readHostJson(text);
  const map = json.kind === 'json' ? nodeAt(json.root, entry.path.slice(0, -1)) : undefined;
  // By what it leads to: somebody may have given it another name.
  const member = membersOf(map).findLast(({ value }) => leadsTo(text, value, entry));
  if (map === undefined || member === undefined) return undefined;
  const taken = new Set(membersOf(map).map(({ key }) => key));
  const old = entry.servers.filter(({ name }) => !taken.has(name));
  if (old.length === 0) {
    const own = text.slice(map.offset, endOf(map));
    const rest = editJsonEntry(own, [{ kind: 'remove', key: member.key }]);
    return `${text.slice(0, map.offset)}${rest}${text.slice(endOf(map))}`;
  }
  const [gap = ' '] = /(?:\r\n|\r|\n)[ \t]*$/.exec(text.slice(0, member.keyStart)) ?? [];
  const members = old.map(({ name, before }) => `${JSON.stringify(name)}: ${before}`);
  return `${text.slice(0, member.keyStart)}${members.join(`,${gap}`)}${text.slice(endOf(member.value))}`;
}

function leadsTo(text: string, value: Node, { file }: JoinedEntry): boolean {
  return text.slice(value.offset, endOf(value)).includes(JSON.stringify(file));
}

function mapAt(text: string, path: readonly string[]): { readonly root: Node; readonly map: Node } {
  const json = readHostJson(text);
  const map = json.kind === 'json' ? nodeAt(json.root, path) : undefined;
  if (json.kind !== 'json' || map === undefined) throw new Error('the servers are no longer there');
  return { root: json.root, map };
}

function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => memberOf(node, key)?.value, root);
}
