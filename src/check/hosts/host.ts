/**
 * What is known about the hosts: for each, in a named setting, ordered conditions on what a tool says
 * and the resulting answer. The facts, their sources and dates are in `hosts.json`.
 */
import type { HintName } from '../../effect/hints.ts';
import data from './hosts.json' with { type: 'json' };

export type Answer = 'free' | 'asks' | 'refuses' | 'unknown';

export type HintState = boolean | 'absent';

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
