/**
 * Takes the gate away from a host's configuration. An entry that is still what wrapping made of it gets
 * its old text back; from one that was edited since, only the gate's words are taken. Pure.
 */
import type { ServerEntry } from './find-servers.ts';
import { findServers } from './find-servers.ts';
import { memberOf, readJsonc } from './jsonc.ts';
import type { WrappedServer } from './read-server.ts';
import { readServer } from './read-server.ts';
import type { TextEdit } from './text-edit.ts';
import { applyEdits, dropItems, removeMember, replaceMember, replaceValue } from './text-edit.ts';
import type { ConfigFaults, WrappedEntry } from './wrap-config.ts';

type UnwrapResult =
  | {
      readonly kind: 'unwrapped';
      readonly text: string;
      readonly servers: readonly { readonly name: string; readonly exact: boolean }[];
    }
  | ConfigFaults;

export function unwrapConfig(text: string, known: readonly WrappedEntry[]): UnwrapResult {
  const reading = readJsonc(text);
  if (reading.kind === 'malformed') {
    const { line, column } = reading;
    return { kind: 'faults', faults: [`line ${line}, column ${column}: this is not JSON`] };
  }
  const edits: TextEdit[] = [];
  const done: { name: string; exact: boolean }[] = [];
  for (const entry of findServers(reading.root).servers) {
    const { name, node } = entry;
    const server = readServer(node);
    if (server.kind !== 'wrapped') continue;
    const written = text.slice(node.start, node.end);
    const match = known.find(({ path, after }) => after === written && isSame(path, entry.path));
    if (match === undefined) edits.push(...takeOff(text, entry, server));
    else edits.push({ start: node.start, end: node.end, text: match.before });
    done.push({ name, exact: match !== undefined });
  }
  return { kind: 'unwrapped', text: applyEdits(text, edits), servers: done };
}

function takeOff(text: string, { node }: ServerEntry, server: WrappedServer): readonly TextEdit[] {
  const { before, command, args, type } = server;
  if (before.kind === 'command')
    return [
      replaceValue(command.value, before.command),
      dropItems(args, args.items.length - before.kept),
    ];
  const list = memberOf(node, 'args');
  const headers =
    Object.keys(before.headers).length > 0 ? [['headers', before.headers] as const] : [];
  return [
    replaceMember(text, node, command, [['url', before.url], ...headers]),
    ...(type === undefined ? [] : [replaceValue(type.value, 'http')]),
    ...(list === undefined ? [] : removeMember(text, node, list)),
  ];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, at) => key === b[at]);
}
