/** The pins of a server beside what it lists now, and what it would mean to accept it. */
import { createHash } from 'node:crypto';
import type { Lock, PinEntry } from '../../gate/tools/lock.ts';
import { readLockFile, toPinEntry } from '../../gate/tools/lock.ts';
import type { PinRow } from '../../gate/tools/pin-report.ts';
import { toPinRows } from '../../gate/tools/pin-report.ts';
import { hashDefinition, own, toRecord } from '../../gate/tools/tool-definition.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ServerView } from '../console-services.ts';
import type { ToolView } from './tools-view.ts';

export type ServerPins =
  | { readonly kind: 'none' }
  | { readonly kind: 'faults'; readonly faults: readonly string[] }
  | { readonly kind: 'pins'; readonly lock: Lock; readonly rows: readonly PinState[] };

export interface PinState extends PinRow {
  /** Names exactly this definition: of the listed tool, or of the pin of one that is gone. */
  readonly definition: string;
  readonly pin?: PinEntry;
  /** One name, several definitions: nobody can tell which one a call reaches. */
  readonly twice: boolean;
}

/**
 * Reads the file anew: what is accepted is accepted against what it holds, not what it held. `views`
 * are of this server's tools: what a tool does and whether it is held back, the gate decides.
 */
export function serverPins(
  server: ServerView,
  path: string | undefined,
  views: readonly ToolView[],
): ServerPins {
  if (path === undefined) return { kind: 'none' };
  const reading = readLockFile(path);
  if (reading.kind === 'faults') {
    const faults = reading.faults.map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
    return { kind: 'faults', faults };
  }
  const { lock } = reading;
  const pins = lock.servers.get(server.name) ?? new Map<string, PinEntry>();
  const judged = new Map(views.map((view) => [view.name, view]));
  const byName = Map.groupBy(server.tools, (tool) => own(toRecord(tool), 'name'));
  // A server that nobody has asked yet has lost nothing.
  const known = server.tools.length === 0 ? [] : toPinRows(pins, server.tools);
  const rows = known.map((row): PinState => {
    const same = byName.get(row.name) ?? [];
    const pin = pins.get(row.name);
    const definition = same.length === 0 ? (pin?.definition ?? '') : hashDefinition(same.at(-1));
    const view = judged.get(row.name);
    return {
      ...row,
      ...(view && { tier: view.tier, quarantined: view.quarantined }),
      definition,
      ...(pin && { pin }),
      twice: differ(same),
    };
  });
  return { kind: 'pins', lock, rows };
}

/** As the gate compares them; what is nested too deep to be compared is not the same. */
function differ(tools: readonly unknown[]): boolean {
  if (tools.length < 2) return false;
  try {
    return new Set(tools.map((tool) => JSON.stringify(tool))).size > 1;
  } catch {
    return true;
  }
}

/** Those that nobody has accepted and that nothing speaks against. */
export function newRows(rows: readonly PinState[]): readonly PinState[] {
  return rows.filter(({ drift, twice }) => drift.kind === 'new' && !twice);
}

/** Names a set of definitions, so that a yes to a list is a yes to that list only. */
export function digestOf(rows: readonly PinState[]): string {
  const definitions = rows.map(({ definition }) => definition).toSorted();
  return createHash('sha256').update(definitions.join('\n')).digest('hex');
}

/** Accepts tools as a person saw them: decides what changes in the lock, and refuses what is not what was seen. Pure. */
export type PinWish =
  /** One tool, by the hash of the definition that was shown. */
  | { readonly kind: 'accept'; readonly definition: string }
  /** All new tools, by the digest of the definitions that were shown. */
  | { readonly kind: 'accept-new'; readonly definition: string }
  /** A tool that is gone, by the hash of its pin. */
  | { readonly kind: 'drop'; readonly definition: string };

interface Accepting {
  readonly by: string;
  readonly at: Date;
}

type Acceptance =
  | {
      readonly kind: 'changes';
      readonly changes: ReadonlyMap<string, PinEntry | undefined>;
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

const CHANGED = 'What the server lists is not what you were shown. Look again, and then decide.';

export function acceptTools(
  server: ServerView,
  rows: readonly PinState[],
  wish: PinWish,
  accepting: Accepting,
): Acceptance {
  const wanted = chooseRows(rows, wish);
  if (wanted.length === 0) return refused(CHANGED);
  const changes = new Map<string, PinEntry | undefined>();
  for (const row of wanted) {
    const { name, drift, twice } = row;
    if (drift.kind === 'gone') {
      changes.set(name, undefined);
      continue;
    }
    if (twice) return refused('The server lists the tool twice; nobody can accept that.');
    const entry = toEntry(server, row, accepting);
    if (entry === undefined)
      return refused('Part of the tool is not JSON; nobody can accept that.');
    changes.set(name, entry);
    if (drift.kind === 'renamed') changes.set(drift.from, undefined);
  }
  return { kind: 'changes', changes };
}

function chooseRows(rows: readonly PinState[], { kind, definition }: PinWish): readonly PinState[] {
  if (kind === 'accept-new') {
    const fresh = newRows(rows);
    return digestOf(fresh) === definition ? fresh : [];
  }
  return rows.filter(
    (row) => row.definition === definition && (row.drift.kind === 'gone') === (kind === 'drop'),
  );
}

/** What a person stated holds on until the tool gets riskier: then it was said of another tool. */
function toEntry(
  { tools }: ServerView,
  { name, pin, drift }: PinState,
  { by, at }: Accepting,
): PinEntry | undefined {
  const tool = tools.find((each) => own(toRecord(each), 'name') === name);
  return toPinEntry(tool, {
    by,
    at,
    ...(pin?.stated && drift.kind !== 'riskier' && { tier: pin.tier }),
    ...(pin?.evidence && { evidence: pin.evidence }),
  });
}

function refused(detail: string): Acceptance {
  return { kind: 'refused', problem: toProblem('conflict', detail) };
}
