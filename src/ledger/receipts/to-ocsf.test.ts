import { describe, expect, it } from 'vitest';
import type { Receipt } from '../receipt.ts';
import type { ReceiptRow } from '../tables.ts';
import { leafOf } from './number-receipt.ts';
import { toColumns } from './receipt-columns.ts';
import { toOcsf } from './to-ocsf.ts';

function rowOf(changes: Pick<Receipt, 'decision' | 'outcome' | 'effect'>): ReceiptRow {
  const receipt: Receipt = {
    kind: 'receipt',
    id: 'r-1',
    at: '2026-11-15T12:00:00.000Z',
    operation: 'pay',
    act: 'spend',
    tier: 'external_spend',
    reach: 'third-party',
    openWorld: true,
    via: 'mcp-stdio',
    milliseconds: 5,
    ...changes,
  };
  const body = JSON.stringify({ ...receipt, seq: 0 });
  return { ...toColumns(receipt, 0), body, leaf: leafOf(body), salt: '', args: '' };
}

describe('the activity of an OCSF event', () => {
  it('is unknown where nobody knows what the call would have done', () => {
    const refused = { decision: 'refused', outcome: 'tool-not-listed' } as const;
    expect(toOcsf(rowOf(refused), 'log')).toMatchObject({ type_uid: 600_303 });
    const row = rowOf({ ...refused, effect: 'unknown' });
    expect(toOcsf(row, 'log')).toMatchObject({ activity_id: 0, type_uid: 600_300 });
  });
});

describe('the status of an OCSF event', () => {
  it.each([
    ['ran', 'success', 1, 'Success'],
    ['replayed', 'success', 1, 'Success'],
    ['ran', 'payment-required', 2, 'Failure'],
    ['refused', 'denied-by-policy', 2, 'Failure'],
    ['waiting', 'approval-pending', 99, 'Waiting'],
    ['ran', 'unknown', 0, 'Unknown'],
    ['unknown', 'outcome-doubtful', 0, 'Unknown'],
  ] as const)('of a call that %s with %s', (decision, outcome, status_id, status) => {
    expect(toOcsf(rowOf({ decision, outcome }), 'log')).toMatchObject({
      status_id,
      status,
      status_code: outcome,
    });
  });
});
