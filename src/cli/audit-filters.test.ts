import { describe, expect, it } from 'vitest';
import { callReceipt } from '../../test/console/calls-fixture.ts';
import type { Receipt } from '../ledger/receipt.ts';
import { toColumns } from '../ledger/receipts/receipt-columns.ts';
import { toLine } from './audit-filters.ts';

function lineOf(changes: Partial<Receipt>): string {
  const receipt = callReceipt({ operation: 'wipe', tier: 'destructive', ...changes });
  const body = JSON.stringify(receipt);
  return toLine({ ...toColumns(receipt, 3), body, leaf: '', salt: '', args: '' }, new Map());
}

describe('the line of a call', () => {
  it('has its tier, or says that nobody knows what it would have done', () => {
    expect(lineOf({})).toContain('  destructive  ');
    const line = lineOf({ decision: 'refused', outcome: 'tool-not-listed', effect: 'unknown' });
    expect(line).toContain('  unknown  ');
    expect(line).not.toContain('destructive');
  });
});
