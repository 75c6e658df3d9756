import { describe, expect, it } from 'vitest';
import { callReceipt } from '../../test/console/calls-fixture.ts';
import type { QuestionEnds } from '../gate/approvals/question-ends.ts';
import type { Receipt } from '../ledger/receipt.ts';
import { toColumns } from '../ledger/receipts/receipt-columns.ts';
import type { Cells } from './audit-table.ts';
import { HEADER, LEAST_WIDTHS, toCells, toLine, widen } from './audit-table.ts';

function cellsOf(changes: Partial<Receipt>, ends: QuestionEnds = new Map()): Cells {
  const receipt = callReceipt({ operation: 'wipe', tier: 'destructive', ...changes });
  const body = JSON.stringify(receipt);
  return toCells({ ...toColumns(receipt, 3), body, leaf: '', salt: '', args: '' }, ends);
}

function lineOf(changes: Partial<Receipt>): string {
  return toLine(cellsOf(changes), LEAST_WIDTHS);
}

describe('the line of a call', () => {
  it('has its tier, or says that nobody knows what it would have done', () => {
    expect(lineOf({})).toContain('  destructive  ');
    const line = lineOf({ decision: 'refused', outcome: 'tool-not-listed', effect: 'unknown' });
    expect(line).toContain('  unknown  ');
    expect(line).not.toContain('destructive');
  });
});

describe('the lines of several calls', () => {
  it('are aligned, however long a caller or a decision is', () => {
    const waiting = { decision: 'waiting', outcome: 'approval-pending', approval: 'q1' } as const;
    const rows = [
      HEADER,
      cellsOf({ outcome: 'success' }),
      cellsOf({ principal: 'root, by a script of the operator', outcome: 'success' }),
      cellsOf(waiting, new Map([['q1', 'withdrawn']])),
    ];
    const widths = widen(LEAST_WIDTHS, rows);
    const lines = rows.map((cells) => toLine(cells, widths));
    expect(lines[3]).toContain('  waiting, then withdrawn  approval-pending');
    const starts = ['outcome', 'success', 'success', 'approval-pending'].map((word, at) =>
      lines[at]?.indexOf(word),
    );
    expect(new Set(starts).size).toBe(1);
  });

  it('do not make room for a name that is as long as a page', () => {
    const [widest = 0] = widen(LEAST_WIDTHS, [cellsOf({ operation: 'x'.repeat(999) })]).toSorted(
      (a, b) => b - a,
    );
    expect(widest).toBeLessThan(60);
  });
});
