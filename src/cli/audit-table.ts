/** Receipts as aligned lines for people. Names are as long as callers choose, so the rows set the widths. Pure. */
import type { QuestionEnds } from '../gate/approvals/question-ends.ts';
import { describeDecision } from '../gate/approvals/question-ends.ts';
import type { Receipt } from '../ledger/receipt.ts';
import type { ReceiptRow } from '../ledger/tables.ts';
import { toVisible } from './audit-filters.ts';

export type Cells = readonly string[];
/** Of each column; the last one needs none. */
export type Widths = readonly number[];

export const HEADER: Cells = Object.freeze([
  'number',
  'time',
  'tier',
  'server',
  'operation',
  'caller',
  'decision',
  'outcome',
]);

/** What most rows need, so that lists look alike. */
export const LEAST_WIDTHS: Widths = Object.freeze([6, 24, 14, 12, 24, 16, 9]);
/** One odd row should not push the columns of all others off the screen. */
const MOST_WIDTH = 48;

export function toCells(row: ReceiptRow, ends: QuestionEnds): Cells {
  const who = row.tenant === '' ? row.principal : `${row.principal}@${row.tenant}`;
  const { amount, unit = '', effect } = JSON.parse(row.body) as Receipt; // our own canonical text
  const cost = amount === undefined ? '' : `  ${amount} ${unit}`.trimEnd();
  const cells = [
    String(row.seq),
    new Date(row.at).toISOString(),
    effect ?? row.tier,
    row.server === '' ? '-' : row.server,
    row.operation,
    who === '' ? '-' : who,
    describeDecision(row, ends),
    `${row.outcome}${cost}${row.open_world === 1 ? '  (open world)' : ''}`,
  ];
  return cells.map(toVisible);
}

/** At least as wide as before, so that columns of lines that follow stay where they are. */
export function widen(widths: Widths, rows: readonly Cells[]): Widths {
  return widths.map((width, at) =>
    rows.reduce(
      (most, cells) => Math.max(most, Math.min(cells[at]?.length ?? 0, MOST_WIDTH)),
      width,
    ),
  );
}

export function toLine([number = '', ...cells]: Cells, [first = 0, ...widths]: Widths): string {
  const padded = cells.map((cell, at) => cell.padEnd(widths[at] ?? 0));
  return [number.padStart(first), ...padded].join('  ');
}
