/** Logs to tamper with, for the tests of the audit. */
import { createPublicKey, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { toCanonicalJson } from '../../src/lib/canonical-json.ts';
import type { JsonValue } from '../../src/lib/json-value.ts';
import { deriveKeys } from '../../src/ledger/keys.ts';
import type { Receipt } from '../../src/ledger/receipt.ts';
import { leafOf } from '../../src/ledger/receipts/number-receipt.ts';
import { toColumns } from '../../src/ledger/receipts/receipt-columns.ts';
import type { ReceiptRow } from '../../src/ledger/tables.ts';

export const KEY = Buffer.alloc(32, 9);
export const KEYS = deriveKeys(KEY);
export const PUBLIC_KEY: KeyObject = createPublicKey(KEYS.signingKey);

export function receiptOf(index: number, changes: Partial<Receipt> = {}): Receipt {
  return {
    kind: 'receipt',
    id: randomUUID(),
    at: new Date(1_790_000_000_000 + index * 1000).toISOString(),
    operation: `operation_${index % 5}`,
    act: index % 3 === 0 ? 'spend' : 'read',
    tier: index % 3 === 0 ? 'external_spend' : 'read',
    reach: index % 4 === 0 ? 'third-party' : 'own-store',
    openWorld: index % 4 === 0,
    via: 'in-process',
    principal: `user-${index % 7}`,
    tenant: 'acme',
    decision: 'ran',
    outcome: index % 6 === 0 ? 'unavailable' : 'success',
    milliseconds: index,
    ...(index % 3 === 0 && { keyRecord: `keyRecord-${index}` }),
    ...changes,
  };
}

/** The row as somebody would forge it who knows how rows are made: leaf and columns fit the body. */
export function forge(row: ReceiptRow, changes: Readonly<Record<string, JsonValue>>): ReceiptRow {
  const body = { ...(JSON.parse(row.body) as Record<string, JsonValue>), ...changes };
  const text = toCanonicalJson(body);
  const columns = toColumns(body, Number(body['seq']));
  return { ...row, ...columns, body: text, leaf: leafOf(text) };
}
