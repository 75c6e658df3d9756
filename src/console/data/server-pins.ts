/** The pins of a server beside what it lists now, and what it would mean to accept it. */
import { createHash } from 'node:crypto';
import { hashDefinition } from '../../gate/pins/definition-hash.ts';
import { readLockFile } from '../../gate/pins/lock-file.ts';
import type { Lock } from '../../gate/pins/lock.ts';
import type { PinEntry } from '../../gate/pins/pin-entry.ts';
import type { PinRow } from '../../gate/pins/pin-report.ts';
import { toPinRows } from '../../gate/pins/pin-report.ts';
import { own, toRecord } from '../../gate/pins/tool-definition.ts';
import type { ServerView } from '../console-services.ts';
import type { ToolView } from './list-tools-view.ts';

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
