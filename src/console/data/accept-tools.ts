/** Accepts tools as a person saw them: decides what changes in the lock, and refuses what is not what was seen. Pure. */
import type { PinEntry } from '../../gate/pins/pin-entry.ts';
import { toPinEntry } from '../../gate/pins/pin-entry.ts';
import { own, toRecord } from '../../gate/pins/tool-definition.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ServerView } from '../console-services.ts';
import type { PinState } from './server-pins.ts';
import { digestOf, newRows } from './server-pins.ts';

export type PinWish =
  /** One tool, by the hash of the definition that was shown. */
  | { readonly kind: 'accept'; readonly definition: string }
  /** All new tools, by the digest of the definitions that were shown. */
  | { readonly kind: 'accept-new'; readonly definition: string }
  /** A tool that is gone, by the hash of its pin. */
  | { readonly kind: 'drop'; readonly definition: string };

export interface Accepting {
  readonly by: string;
  readonly at: Date;
}

export type Acceptance =
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
