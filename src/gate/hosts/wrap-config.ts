/**
 * Puts the gate in front of the servers of a host's configuration, and removes it again, by editing the
 * text: comments, order, indentation, line ends and unknown parts stay as they are. Pure.
 */
import type { Edit } from 'jsonc-parser';
import { applyEdits } from 'jsonc-parser';
import type { GateCommand } from './gated-entry.ts';
import { gateCommandEntry, gateRemoteEntry, readGated, ungateEntry } from './gated-entry.ts';
import type { MalformedJson } from './host-json.ts';
import { endOf, readHostJson } from './host-json.ts';
import type { Layout, OddEntry, OtherServer, ServerEntry } from './host-servers.ts';
import { findServers, readServer } from './host-servers.ts';

export interface WrappedEntry {
  readonly name: string;
  readonly path: readonly string[];
  /** The entry's own text. */
  readonly before: string;
  readonly after: string;
  /** What was put in front of it. */
  readonly gate: GateCommand;
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

/** `known` is what was wrapped before, perhaps with other options for the gate. */
export function wrapConfig(
  text: string,
  gate: GateCommand,
  known: readonly WrappedEntry[] = [],
): WrapResult {
  const json = readHostJson(text);
  if (json.kind === 'malformed') return toFaults(json);
  const { layout, servers, odd } = findServers(json.root);
  if (layout === undefined)
    return { kind: 'faults', faults: ['it has no servers as any known host writes them'] };
  const wrapped: WrappedEntry[] = [];
  const skipped: SkippedEntry[] = [...odd];
  const edits = servers.flatMap((entry): readonly Edit[] => {
    const { name, path, node } = entry;
    const gates = [gate, ...recordsOf(entry, known).map((record) => record.gate)];
    const server = readServer(node);
    if (gates.some((each) => readGated(name, node, each) !== undefined))
      skipped.push({ name, path, why: 'already-wrapped' });
    else if (server.kind === 'other') skipped.push({ name, path, why: server.why });
    else {
      const before = text.slice(node.offset, endOf(node));
      const after =
        server.kind === 'command'
          ? gateCommandEntry(before, name, server, gate)
          : gateRemoteEntry(before, name, server, gate);
      wrapped.push({ name, path, before, after, gate });
      return [toEdit(entry, after)];
    }
    return [];
  });
  return { kind: 'wrapped', layout, text: applyEdits(text, edits), servers: wrapped, skipped };
}

function recordsOf({ path }: ServerEntry, known: readonly WrappedEntry[]): readonly WrappedEntry[] {
  return known.filter((record) => isSame(record.path, path));
}

function toEdit({ node: { offset, length } }: ServerEntry, content: string): Edit {
  return { offset, length, content };
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
    const written = text.slice(node.offset, endOf(node));
    const records = recordsOf(entry, known);
    const match = records.find(({ after }) => after === written);
    const gated = [undefined, ...records.map((record) => record.gate)]
      .map((gate) => readGated(name, node, gate))
      .find((each) => each !== undefined);
    if (match === undefined && gated === undefined) continue;
    const before = match?.before ?? (gated && ungateEntry(written, gated)) ?? written;
    edits.push(toEdit(entry, before));
    done.push({ name, exact: match !== undefined });
  }
  return { kind: 'unwrapped', text: applyEdits(text, edits), servers: done };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, at) => key === b[at]);
}
