/**
 * Puts the gate in front of the servers of a host's configuration, and removes it again, by editing the
 * text: comments, order, indentation, line ends and unknown parts stay as they are. Pure.
 */
import type { Edit } from 'jsonc-parser';
import { applyEdits } from 'jsonc-parser';
import type { HostJson, MalformedJson } from './host-json.ts';
import {
  dropItems,
  endOf,
  insertAfter,
  memberOf,
  prependItems,
  readHostJson,
  removeMember,
  replaceMember,
  replaceValue,
} from './host-json.ts';
import type {
  CommandServer,
  Layout,
  OddEntry,
  OtherServer,
  RemoteServer,
  ServerEntry,
  WrappedServer,
} from './host-servers.ts';
import { findServers, readServer } from './host-servers.ts';

export interface GateCommand {
  readonly command: string;
  /** What comes before `--name`: `gate` and its own options. */
  readonly args: readonly string[];
}

export interface WrappedEntry {
  readonly name: string;
  readonly path: readonly string[];
  /** The entry's own text. */
  readonly before: string;
  readonly after: string;
}

export interface SkippedEntry {
  readonly name: string;
  readonly path: readonly string[];
  readonly why: 'already-wrapped' | OtherServer['why'] | OddEntry['why'];
}

export interface ConfigFaults {
  readonly kind: 'faults';
  readonly faults: readonly string[];
}

export type WrapResult =
  | {
      readonly kind: 'wrapped';
      readonly layout: Layout;
      readonly text: string;
      readonly servers: readonly WrappedEntry[];
      readonly skipped: readonly SkippedEntry[];
    }
  | ConfigFaults;

export function wrapConfig(text: string, gate: GateCommand): WrapResult {
  const json = readHostJson(text);
  if (json.kind === 'malformed') return toFaults(json);
  const { layout, servers, odd } = findServers(json.root);
  if (layout === undefined)
    return { kind: 'faults', faults: ['it has no servers as any known host writes them'] };
  const edits: Edit[] = [];
  const wrapped: WrappedEntry[] = [];
  const skipped: SkippedEntry[] = [...odd];
  for (const entry of servers) {
    const { name, path, node } = entry;
    const server = readServer(node);
    if (server.kind === 'wrapped') skipped.push({ name, path, why: 'already-wrapped' });
    else if (server.kind === 'other') skipped.push({ name, path, why: server.why });
    else {
      const own =
        server.kind === 'command'
          ? toGated(json, entry, server, gate)
          : fromUrl(json, entry, server, gate);
      edits.push(...own);
      const before = text.slice(node.offset, endOf(node));
      wrapped.push({
        name,
        path,
        before,
        after: applyEdits(before, own.map(shiftBy(node.offset))),
      });
    }
  }
  return { kind: 'wrapped', layout, text: applyEdits(text, edits), servers: wrapped, skipped };
}

function toGated(
  json: HostJson,
  { name, node }: ServerEntry,
  { command, words, args }: CommandServer,
  gate: GateCommand,
): readonly Edit[] {
  const before = [...gate.args, '--name', name, '--', words.command];
  return [
    replaceValue(command.value, gate.command),
    args === undefined
      ? insertAfter(json, node, command, [['args', before]])
      : prependItems(json, args, before),
  ];
}

/** The gate is a command, so that a server with an address becomes one, too. */
function fromUrl(
  json: HostJson,
  { name, node }: ServerEntry,
  { address, url, headers, headersMember, type }: RemoteServer,
  gate: GateCommand,
): readonly Edit[] {
  const flags = headers.flatMap(([key, value]) => ['--header', `${key}: ${value}`]);
  const args = [...gate.args, '--name', name, '--url', url, ...flags];
  return [
    replaceMember(json, node, address, [
      ['command', gate.command],
      ['args', args],
    ]),
    ...(type === undefined ? [] : [replaceValue(type.value, 'stdio')]),
    ...(headersMember === undefined ? [] : removeMember(json, node, headersMember)),
  ];
}

function shiftBy(start: number): (edit: Edit) => Edit {
  return ({ offset, ...edit }) => ({ ...edit, offset: offset - start });
}

function toFaults({ line, column }: MalformedJson): ConfigFaults {
  return { kind: 'faults', faults: [`line ${line}, column ${column}: this is not JSON`] };
}

type UnwrapResult =
  | {
      readonly kind: 'unwrapped';
      readonly text: string;
      readonly servers: readonly { readonly name: string; readonly exact: boolean }[];
    }
  | ConfigFaults;

/**
 * An entry that is still as wrapping left it gets its old text back; from one that was edited since,
 * only the gate's words are removed.
 */
export function unwrapConfig(text: string, known: readonly WrappedEntry[]): UnwrapResult {
  const json = readHostJson(text);
  if (json.kind === 'malformed') return toFaults(json);
  const edits: Edit[] = [];
  const done: { name: string; exact: boolean }[] = [];
  for (const entry of findServers(json.root).servers) {
    const { name, node } = entry;
    const server = readServer(node);
    if (server.kind !== 'wrapped') continue;
    const written = text.slice(node.offset, endOf(node));
    const match = known.find(({ path, after }) => after === written && isSame(path, entry.path));
    if (match === undefined) edits.push(...takeOff(json, entry, server));
    else edits.push({ offset: node.offset, length: node.length, content: match.before });
    done.push({ name, exact: match !== undefined });
  }
  return { kind: 'unwrapped', text: applyEdits(text, edits), servers: done };
}

function takeOff(json: HostJson, { node }: ServerEntry, server: WrappedServer): readonly Edit[] {
  const { before, command, args, type } = server;
  if (before.kind === 'command')
    return [
      replaceValue(command.value, before.command),
      dropItems(json, args, (args.children ?? []).length - before.kept),
    ];
  const list = memberOf(node, 'args');
  const headers =
    Object.keys(before.headers).length > 0 ? [['headers', before.headers] as const] : [];
  return [
    replaceMember(json, node, command, [['url', before.url], ...headers]),
    ...(type === undefined ? [] : [replaceValue(type.value, 'http')]),
    ...(list === undefined ? [] : removeMember(json, node, list)),
  ];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, at) => key === b[at]);
}
