/** The input and output of a suite: figures of lines, and goals with their measurements. */
import type { Figures } from './compare.ts';
import type { Options } from './options.ts';
import type { Spread } from './statistics.ts';

export interface SuiteContext {
  readonly options: Options;
  /** The script behind the `plimsoll` command. */
  readonly gate: string;
  /** For ledgers; removed afterwards. */
  readonly folder: string;
}

export interface Goal {
  readonly what: string;
  readonly limit: { readonly kind: 'at most' | 'at least'; readonly figure: number };
  readonly unit: '×' | ' ms' | ' MB';
  readonly measured: Spread;
}

export interface SuiteReport {
  readonly title: string;
  readonly figures: readonly Figures[];
  readonly goals: readonly Goal[];
  /** Additional checks, as sentences. */
  readonly notes: readonly string[];
}

export function isMet({ limit, measured: { median } }: Goal): boolean {
  return limit.kind === 'at most' ? median <= limit.figure : median >= limit.figure;
}

/** The figures of one line, which must exist. */
export function figuresOf(figures: readonly Figures[], name: string, inFlight: number): Figures {
  const found = figures.find((each) => each.name === name && each.inFlight === inFlight);
  if (found === undefined) throw new Error(`${name} was not measured with ${inFlight} in flight`);
  return found;
}
