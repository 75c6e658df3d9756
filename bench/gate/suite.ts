/** The input and output of a suite: figures of lines, and goals with their measurements. */
import type { Figures } from './compare.ts';
import type { LoadOptions } from './options.ts';
import type { Spread } from './statistics.ts';

export interface SuiteContext {
  readonly options: LoadOptions;
  /** The script behind the `plimsoll` command. */
  readonly gate: string;
  /** For ledgers; removed afterwards. */
  readonly folder: string;
}

export interface Goal {
  readonly what: string;
  readonly limit: { readonly kind: 'at most' | 'at least'; readonly figure: number };
  readonly unit: '×' | ' ms' | ' MB' | ' µs';
  /** One sum over all rounds has no quartiles. */
  readonly measured: Spread | Pick<Spread, 'median'>;
}

export interface SuiteReport {
  readonly title: string;
  readonly figures: readonly Figures[];
  readonly goals: readonly Goal[];
  /** Share of the machine that others used, in a suite without figures; otherwise they contain it. */
  readonly others?: number;
  /** What the figures call the floor. */
  readonly floor?: string;
  /** Additional checks, as sentences. */
  readonly notes: readonly string[];
  /** What the README says of it. */
  readonly readme?: readonly ReadmeRow[];
}

interface ReadmeRow {
  readonly what: string;
  readonly gate: string;
  readonly compare: string;
}

export function isMet({ limit, measured: { median } }: Goal): boolean {
  return limit.kind === 'at most' ? median <= limit.figure : median >= limit.figure;
}

export interface Limits {
  /** Relative to the floor, or to a direct call where there is none. */
  readonly p50: number;
  readonly rate: number;
  /** Microseconds of the gate for one call, with 64 in flight. */
  readonly cpu: number;
}

/** The goals of a gate beside its floor. */
export function goalsToFloor(what: string, figures: readonly Figures[], limits: Limits): Goal[] {
  const [one, many] = [figuresOf(figures, 'gate', 1), figuresOf(figures, 'gate', 64)];
  const { middle: cpu } = many.cpu;
  const unmeasured = { median: Number.NaN };
  return [
    {
      what: `${what}, p50 to the floor`,
      limit: { kind: 'at most', figure: limits.p50 },
      unit: '×',
      measured: one.toFloor?.p50 ?? unmeasured,
    },
    {
      what: `${what}, calls/s to the floor with 64 in flight`,
      limit: { kind: 'at least', figure: limits.rate },
      unit: '×',
      measured: many.toFloor?.rate ?? unmeasured,
    },
    {
      what: `${what}, CPU of the gate with 64 in flight`,
      limit: { kind: 'at most', figure: limits.cpu },
      unit: ' µs',
      measured: { median: cpu },
    },
  ];
}

/** The share of the machine that others may have used while figures for the docs were taken. */
const MOST_OTHERS = 0.1;

/** The share of the machine that others used, on average. */
export function othersOf({ figures, others }: SuiteReport): number {
  return others ?? figures.reduce((sum, each) => sum + each.others, 0) / figures.length;
}

/** Says why the figures say little, if they do. */
export function findDisturbance(reports: readonly SuiteReport[]): string | undefined {
  for (const report of reports) {
    const others = othersOf(report);
    // Also where it is not a number, since nobody knows then.
    if (!(others <= MOST_OTHERS)) {
      return `other programs used ${(others * 100).toFixed(0)} % of the machine during “${report.title}”`;
    }
  }
  return undefined;
}

/** The figures of one line, which must exist. */
export function figuresOf(figures: readonly Figures[], name: string, inFlight: number): Figures {
  const found = figures.find((each) => each.name === name && each.inFlight === inFlight);
  if (found === undefined) throw new Error(`${name} was not measured with ${inFlight} in flight`);
  return found;
}
