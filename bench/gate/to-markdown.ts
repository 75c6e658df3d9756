/** Reports as Markdown, with aligned columns for reading in a terminal. */
import { cpus } from 'node:os';
import type { Figures } from './compare.ts';
import type { Spread } from './statistics.ts';
import type { Goal, SuiteReport } from './suite.ts';
import { isMet, othersOf } from './suite.ts';

export function goalsToMarkdown(reports: readonly SuiteReport[]): string {
  const rows = reports.flatMap(({ goals }) => goals.map(toGoalRow));
  return toTable(['What', 'Goal', 'Median', 'Quartiles', 'Reached'], rows);
}

export function figuresToMarkdown(report: SuiteReport): string {
  const { title, figures, notes, floor = 'floor' } = report;
  const columns = [
    'Line',
    'In flight',
    'p50 ms',
    'p99 ms',
    'Calls/s',
    'p50 vs direct',
    'Calls/s vs direct',
    `p50, calls/s vs ${floor}`,
    'CPU µs per call: client / middle / server',
  ];
  const table = figures.length === 0 ? [] : [toTable(columns, figures.map(toFiguresRow))];
  const others = `Others used ${(othersOf(report) * 100).toFixed(0)} % of the machine.`;
  return [`### ${title}`, ...table, [...notes, others].join(' ')].join('\n\n');
}

/** The figures that matter to a user, and how many goals are reached. */
export function readmeToMarkdown(reports: readonly SuiteReport[]): string {
  const rows = reports.flatMap(({ readme = [] }) => readme);
  const goals = reports.flatMap((report) => report.goals);
  const reached = `${goals.filter(isMet).length} of ${goals.length}`;
  return [
    toTable(
      ['', 'The gate', 'Compare'],
      rows.map(({ what, gate, compare }) => [what, gate, compare]),
    ),
    `Start and memory: the median of seven starts. The first approval request takes a gate to about 93 MB and starts the console, about 100 MB more. The gate reaches ${reached} performance goals.`,
  ].join('\n\n');
}

/** What the figures were measured on. */
export function machineToMarkdown(): string {
  const [{ model } = { model: 'unknown' }] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `Measured on ${day} with Node ${process.versions.node}, on ${cpus().length} cores (${model.trim()}).`;
}

function toGoalRow(goal: Goal): readonly string[] {
  const { what, limit, unit, measured } = goal;
  const digits = digitsOf(goal, unit === '×' ? 2 : 0);
  const sign = limit.kind === 'at most' ? '≤' : '≥';
  const show = (value: number): string => value.toFixed(digits);
  return [
    what,
    `${sign} ${limit.figure}${unit}`,
    `${show(measured.median)}${unit}`,
    'low' in measured ? `${show(measured.low)}–${show(measured.high)}` : '–',
    isMet(goal) ? 'yes' : 'no',
  ];
}

/** More than usual where a goal is missed by so little that the rounded figure would equal its limit. */
function digitsOf(goal: Goal, usual: number): number {
  const { limit, measured } = goal;
  const isMisread = !isMet(goal) && Number(measured.median.toFixed(usual)) === limit.figure;
  return isMisread ? digitsOf(goal, usual + 1) : usual;
}

function toFiguresRow(figures: Figures): readonly string[] {
  const { name, inFlight, p50, p99, callsPerSecond, p50Ratio, rateRatio, toFloor, cpu } = figures;
  return [
    name,
    String(inFlight),
    ms(p50.median),
    ms(p99.median),
    callsPerSecond.median.toFixed(callsPerSecond.median < 10 ? 1 : 0),
    toRatio(p50Ratio),
    toRatio(rateRatio),
    toFloor === undefined
      ? ''
      : `${toFloor.p50.median.toFixed(2)}, ${toFloor.rate.median.toFixed(2)}`,
    [cpu.client, cpu.middle, cpu.server].map((part) => part.toFixed(0)).join(' / '),
  ];
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 3 : 0);
}

function toRatio({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
