/** The pins of a server compared with what it lists now, and what accepting it would change. */
import { createHash } from 'node:crypto';
import type { Tier } from '../../effect/tier.ts';
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
  /** Hash of exactly this definition: of the listed tool, or of the pin of a removed one. */
  readonly definition: string;
  readonly pin?: PinEntry;
  /** One name with several definitions: it is not known which one a call reaches. */
  readonly twice: boolean;
}

/**
 * Reads the file again, so that tools are accepted against its current content. `views` are of this
 * server's tools: the gate decides what a tool does and whether it is held back.
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
  // A server that has not listed its tools yet has removed none.
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

/** Compared as the gate does; what is nested too deep to compare counts as different. */
function differ(tools: readonly unknown[]): boolean {
  if (tools.length < 2) return false;
  try {
    return new Set(tools.map((tool) => JSON.stringify(tool))).size > 1;
  } catch {
    return true;
  }
}

/** Tools that nobody has accepted and that can be accepted. */
export function newRows(rows: readonly PinState[]): readonly PinState[] {
  return rows.filter(({ drift, twice }) => drift.kind === 'new' && !twice);
}

/** Hash of a set of definitions, so that accepting a list accepts exactly that list. */
export function digestOf(rows: readonly PinState[]): string {
  const definitions = rows.map(({ definition }) => definition).toSorted();
  return createHash('sha256').update(definitions.join('\n')).digest('hex');
}

/**
 * Accepts tools as a person saw them: decides what changes in the lock, and refuses definitions that
 * were not shown. Pure.
 */
export type PinWish =
  /** One tool, by the hash of the definition that was shown. */
  | { readonly kind: 'accept'; readonly definition: string }
  /** All new tools, by the digest of the definitions that were shown. */
  | { readonly kind: 'accept-new'; readonly definition: string }
  /** The same, with what the person says that it does. */
  | { readonly kind: 'state'; readonly definition: string; readonly tier: Tier }
  /** A removed tool, by the hash of its pin. */
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

const CHANGED =
  'The server now lists something else than you were shown. Nothing was accepted; review the change and decide again.';

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
    if (twice) return refused('The server lists the tool twice, so it cannot be accepted.');
    const stated = wish.kind === 'state' ? wish.tier : undefined;
    const entry = toEntry(server, row, stated, accepting);
    if (entry === undefined)
      return refused('Part of the tool is not JSON, so it cannot be accepted.');
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

/** A stated tier stays valid until the tool becomes riskier: after that it was about another definition. */
function toEntry(
  { tools }: ServerView,
  { name, pin, drift }: PinState,
  stated: Tier | undefined,
  { by, at }: Accepting,
): PinEntry | undefined {
  const tool = tools.find((each) => own(toRecord(each), 'name') === name);
  const tier = stated ?? (pin?.stated && drift.kind !== 'riskier' ? pin.tier : undefined);
  return toPinEntry(tool, {
    by,
    at,
    ...(tier !== undefined && { tier }),
    ...(pin?.dryRun && drift.kind === 'same' && { dryRun: pin.dryRun }),
    ...(pin?.evidence && { evidence: pin.evidence }),
  });
}

function refused(detail: string): Acceptance {
  return { kind: 'refused', problem: toProblem('conflict', detail) };
}
