/**
 * Puts the gate in front of the servers of a host's configuration, and removes it again, by editing the
 * text: comments, order, indentation, line ends and unknown parts stay as they are. Pure.
 */
import type { Edit } from 'jsonc-parser';
import { applyEdits } from 'jsonc-parser';
import type { Layout, OddEntry, ServerEntry } from './find-servers.ts';
import { findServers } from './find-servers.ts';
import type { GateCommand } from './gated-entry.ts';
import { gateEntry, ungateEntry } from './gated-entry.ts';
import { hideArgument } from './hide-argument.ts';
import type { EntrySpan, HostFormat, MalformedText } from './host-text.ts';
import { readHostText } from './host-text.ts';
import { readGated } from './read-gated.ts';
import type { OtherServer, RemoteServer } from './read-server.ts';
import { readServer, readWords } from './read-server.ts';

/** What the name of a file says about its text. */
export interface FileKind {
  readonly format: HostFormat;
  readonly isGemini?: boolean;
}

const JSON_FILE: FileKind = { format: 'json' };

export interface WrappedEntry {
  readonly name: string;
  readonly path: readonly string[];
  /** The entry's own text. */
  readonly before: string;
  readonly after: string;
  /** What was put in front of it. */
  readonly gate: GateCommand;
  /** Of a server that is reached over HTTP without a credential: people may have to sign in there. */
  readonly signIn?: string;
}

export interface SkippedEntry {
  readonly name: string;
  readonly path: readonly string[];
  readonly why: 'already-wrapped' | 'odd-layout' | OtherServer['why'] | OddEntry['why'];
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

/**
 * `known` is what was wrapped before, perhaps with other options for the gate, and `joined` the files of gates
 * that several servers share.
 */
export function wrapConfig(
  text: string,
  gate: GateCommand,
  known: readonly WrappedEntry[] = [],
  { format, isGemini }: FileKind = JSON_FILE,
  joined: readonly string[] = [],
): WrapResult {
  const read = readHostText(text, format);
  if (read.kind === 'malformed') return toFaults(read);
  const { layout, servers, odd } = findServers(read.root, isGemini);
  if (layout === undefined)
    return {
      kind: 'faults',
      faults: [
        'it has no servers as any known host writes them; plimsoll wrap --help names the hosts',
      ],
    };
  const wrapped: WrappedEntry[] = [];
  const skipped: SkippedEntry[] = [...odd];
  const edits = servers.flatMap((entry): readonly Edit[] => {
    const { name, path, node, dialect } = entry;
    const gates = [gate, ...recordsOf(entry, known).map((record) => record.gate)];
    const server = readServer(node, dialect);
    const span = read.spanOf(path);
    const isJoined = joined.includes(readWords(node, dialect)?.at(-1) ?? '');
    if (isJoined || gates.some((each) => readGated(name, node, dialect, each) !== undefined))
      skipped.push({ name, path, why: 'already-wrapped' });
    else if (server.kind === 'other') skipped.push({ name, path, why: server.why });
    else if (span === undefined) skipped.push({ name, path, why: 'odd-layout' });
    else {
      const before = textAt(text, span);
      const change = gateEntry(node, name, server, gate, dialect);
      const after = read.edit(before, change, span.column);
      const signIn = server.kind === 'remote' && needsSignIn(server) ? server.url : undefined;
      wrapped.push({ name, path, before, after, gate, ...(signIn !== undefined && { signIn }) });
      return [toEdit(span, after)];
    }
    return [];
  });
  return { kind: 'wrapped', layout, text: applyEdits(text, edits), servers: wrapped, skipped };
}

/** Any header may be a credential, but a server without one can only be open or want a sign-in. */
function needsSignIn({ url, headers, headersFrom, bearerFrom }: RemoteServer): boolean {
  const isInUrl = hideArgument(url) !== url;
  const names = Object.keys({ ...headers, ...headersFrom });
  return !isInUrl && names.length === 0 && bearerFrom === undefined;
}

function recordsOf({ path }: ServerEntry, known: readonly WrappedEntry[]): readonly WrappedEntry[] {
  return known.filter((record) => isSame(record.path, path));
}

function textAt(text: string, { offset, length }: EntrySpan): string {
  return text.slice(offset, offset + length);
}

function toEdit({ offset, length }: EntrySpan, content: string): Edit {
  return { offset, length, content };
}

const FORMATS = { json: 'JSON', toml: 'TOML', yaml: 'YAML' } as const;

function toFaults({ line, column, format }: MalformedText): ConfigFaults {
  return {
    kind: 'faults',
    faults: [`line ${line}, column ${column}: this is not ${FORMATS[format]}`],
  };
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
export function unwrapConfig(
  text: string,
  known: readonly WrappedEntry[],
  { format, isGemini }: FileKind = JSON_FILE,
): UnwrapResult {
  const read = readHostText(text, format);
  if (read.kind === 'malformed') return toFaults(read);
  const edits: Edit[] = [];
  const done: { name: string; exact: boolean }[] = [];
  for (const entry of findServers(read.root, isGemini).servers) {
    const { name, node, path, dialect } = entry;
    const span = read.spanOf(path);
    if (span === undefined) continue;
    const written = textAt(text, span);
    const records = recordsOf(entry, known);
    const match = records.find(({ after }) => after === written);
    const gated = [undefined, ...records.map((record) => record.gate)]
      .map((gate) => readGated(name, node, dialect, gate))
      .find((each) => each !== undefined);
    if (match === undefined && gated === undefined) continue;
    const change = gated === undefined ? [] : ungateEntry(gated, dialect);
    edits.push(toEdit(span, match?.before ?? read.edit(written, change, span.column)));
    done.push({ name, exact: match !== undefined });
  }
  return { kind: 'unwrapped', text: applyEdits(text, edits), servers: done };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, at) => key === b[at]);
}
