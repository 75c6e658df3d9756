/**
 * Decides what a host does with a tool as listed. Hosts take the hints literally, so this does too: it
 * weighs no claims and trusts exactly what they trust.
 */
import type { HintName, Hints } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import { memberOf } from '../tool-schema.ts';
import data from './hosts.json' with { type: 'json' };

export type Answer = 'free' | 'asks' | 'refuses' | 'unknown';

type HintState = boolean | 'absent';

export interface HostCondition {
  /** Each hint must be in this state, or in one of these. */
  readonly hints?: Readonly<Partial<Record<HintName, HintState | readonly HintState[]>>>;
  /** Each `_meta` key must have exactly this value. */
  readonly meta?: Readonly<Record<string, boolean>>;
}

export interface HostRow {
  /** Without it the row applies to everything else. */
  readonly when?: HostCondition;
  readonly answer: Answer;
  readonly because: string;
  /** Where this is documented, or whose code does it. */
  readonly source: string;
  /** When the source was read: `2026-10-02`. */
  readonly date: string;
  /** Taken from somebody else's report of the source. */
  readonly secondHand?: true;
}

/**
 * What is known about the hosts: for each, in a named setting, ordered conditions on what a tool says
 * and the resulting answer. The facts, their sources and dates are in `hosts.json`.
 */
export interface Host {
  readonly id: string;
  readonly name: string;
  /** Short enough for a column header. */
  readonly short: string;
  /** The mode and settings that the rows are about. */
  readonly setting: string;
  /** The first match decides; the last always matches. */
  readonly rows: readonly HostRow[];
}

// JSON has no literal types; a test checks the file against this type.
export const HOSTS: readonly Host[] = data.hosts as readonly Host[];

/** Whether what a tool says can decide if the host asks. */
export function heedsHints({ rows }: Host): boolean {
  return (
    rows.some(({ answer }) => answer === 'free') && rows.some(({ answer }) => answer !== 'free')
  );
}

/** The answer that it gives to every tool, if there is only one. */
export function fixedAnswer({ rows }: Host): Answer | undefined {
  const answers = new Set(rows.map(({ answer }) => answer));
  return answers.size === 1 ? rows[0]?.answer : undefined;
}

export interface HostDecision {
  readonly answer: Answer;
  readonly because: string;
  /** Absent when no known row covers what the tool says. */
  readonly row?: HostRow;
}

type Json = Readonly<Record<string, unknown>>;

export function decideHost(host: Host, tool: unknown): HostDecision {
  const annotations = partOf(tool, 'annotations');
  const meta = partOf(tool, '_meta');
  const odd = HINT_NAMES.find((name) => toState(annotations, name) === undefined);
  if (odd !== undefined) {
    const because = `${odd} is not a boolean; clients on the official SDK then refuse the whole list`;
    return { answer: 'unknown', because };
  }
  const row = host.rows.find(({ when }) => when === undefined || holds(when, annotations, meta));
  if (row === undefined) return { answer: 'unknown', because: 'not known for such a tool' };
  return { answer: row.answer, because: row.because, row };
}

function holds(
  { hints = {}, meta: keys = {} }: HostCondition,
  annotations: Json,
  meta: Json,
): boolean {
  const asSaid = HINT_NAMES.every((name) => {
    const wanted = hints[name];
    if (wanted === undefined) return true;
    return [wanted].flat().some((state) => state === toState(annotations, name));
  });
  return asSaid && Object.entries(keys).every(([key, value]) => own(meta, key) === value);
}

/** Undefined when it is set, but not a boolean. */
function toState(annotations: Json, name: HintName): HintState | undefined {
  const said = own(annotations, name);
  if (said === undefined) return 'absent';
  return typeof said === 'boolean' ? said : undefined;
}

function partOf(tool: unknown, key: string): Json {
  return toObject(own(toObject(tool), key));
}

function own(object: Json, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function toObject(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return value as Json; // a JSON object has string keys only
}

/** The hints of a tool as sent, also where two of them contradict each other; non-booleans are omitted. */
export function saidHints(raw: unknown): Hints {
  const hints: Partial<Record<HintName, boolean>> = {};
  for (const name of HINT_NAMES) {
    const said = memberOf(raw, 'annotations', name);
    if (typeof said === 'boolean') hints[name] = said;
  }
  return hints;
}
