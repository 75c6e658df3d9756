/**
 * What is known of the hosts: for each, in a named setting, ordered conditions on what a tool says and
 * the answer that follows. The facts, their sources and dates are in `hosts.json`.
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
  /** Without it the row holds for whatever is left. */
  readonly when?: HostCondition;
  readonly answer: Answer;
  readonly because: string;
  /** Where that is written, or whose code does it. */
  readonly source: string;
  /** When the source was read: `2026-10-02`. */
  readonly date: string;
  /** Somebody else read the source. */
  readonly secondHand?: true;
}

export interface Host {
  readonly id: string;
  readonly name: string;
  /** Fits over a column. */
  readonly short: string;
  /** The mode and settings that the rows are about. */
  readonly setting: string;
  /** The first that holds decides; the last always holds. */
  readonly rows: readonly HostRow[];
}

// JSON has no literal types; a test holds the file to this shape.
export const HOSTS: readonly Host[] = data.hosts as readonly Host[];

/** What a tool says can make the difference between a question and none. */
export function heedsHints({ rows }: Host): boolean {
  return (
    rows.some(({ answer }) => answer === 'free') && rows.some(({ answer }) => answer !== 'free')
  );
}

/** The one answer that it gives to every tool, where there is only one. */
export function fixedAnswer({ rows }: Host): Answer | undefined {
  const answers = new Set(rows.map(({ answer }) => answer));
  return answers.size === 1 ? rows[0]?.answer : undefined;
}
