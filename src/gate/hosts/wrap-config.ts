/**
 * Puts the gate in front of the servers of a host's configuration, by editing the text: comments, order,
 * indentation, line ends and what it does not know stay as they are. Pure.
 */
import type { Layout, OddEntry, ServerEntry } from './find-servers.ts';
import { findServers } from './find-servers.ts';
import { readJsonc } from './jsonc.ts';
import type { CommandServer, OtherServer, RemoteServer } from './read-server.ts';
import { readServer } from './read-server.ts';
import type { TextEdit } from './text-edit.ts';
import {
  applyEdits,
  insertAfter,
  prependItems,
  removeMember,
  replaceMember,
  replaceValue,
} from './text-edit.ts';

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
  const reading = readJsonc(text);
  if (reading.kind === 'malformed') {
    const { line, column } = reading;
    return { kind: 'faults', faults: [`line ${line}, column ${column}: this is not JSON`] };
  }
  const { layout, servers, odd } = findServers(reading.root);
  if (layout === undefined)
    return { kind: 'faults', faults: ['it has no servers as any known host writes them'] };
  const edits: TextEdit[] = [];
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
          ? toGated(text, entry, server, gate)
          : fromUrl(text, entry, server, gate);
      edits.push(...own);
      const before = text.slice(node.start, node.end);
      wrapped.push({ name, path, before, after: applyEdits(before, own.map(shiftBy(node.start))) });
    }
  }
  return { kind: 'wrapped', layout, text: applyEdits(text, edits), servers: wrapped, skipped };
}

function toGated(
  text: string,
  { name, node }: ServerEntry,
  { command, words, args }: CommandServer,
  gate: GateCommand,
): readonly TextEdit[] {
  const before = [...gate.args, '--name', name, '--', words.command];
  return [
    replaceValue(command.value, gate.command),
    args === undefined
      ? insertAfter(text, node, command, [['args', before]])
      : prependItems(text, args, before),
  ];
}

/** The gate is a command, so that a server with an address becomes one, too. */
function fromUrl(
  text: string,
  { name, node }: ServerEntry,
  { address, url, headers, headersMember, type }: RemoteServer,
  gate: GateCommand,
): readonly TextEdit[] {
  const flags = headers.flatMap(([key, value]) => ['--header', `${key}: ${value}`]);
  const args = [...gate.args, '--name', name, '--url', url, ...flags];
  return [
    replaceMember(text, node, address, [
      ['command', gate.command],
      ['args', args],
    ]),
    ...(type === undefined ? [] : [replaceValue(type.value, 'stdio')]),
    ...(headersMember === undefined ? [] : removeMember(text, node, headersMember)),
  ];
}

function shiftBy(offset: number): (edit: TextEdit) => TextEdit {
  return ({ start, end, text }) => ({ start: start - offset, end: end - offset, text });
}
