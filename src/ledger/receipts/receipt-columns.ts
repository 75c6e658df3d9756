/** The columns that repeat a receipt for queries. Written from it, and audited against it. */
import type { Receipt } from '../receipt.ts';
import type { ReceiptRow } from '../tables.ts';

export type ReceiptColumns = Omit<ReceiptRow, 'body' | 'leaf' | 'salt' | 'args'>;

export function toColumns(receipt: Receipt, seq: number): ReceiptColumns {
  return {
    seq,
    id: receipt.id,
    at: Date.parse(receipt.at),
    operation: receipt.operation,
    tier: receipt.tier,
    open_world: receipt.openWorld ? 1 : 0,
    principal: receipt.principal ?? '',
    tenant: receipt.tenant ?? '',
    outcome: receipt.outcome,
    claim: receipt.claim ?? '',
    server: receipt.server ?? '',
    decision: receipt.decision,
    approval: receipt.approval ?? '',
  };
}
