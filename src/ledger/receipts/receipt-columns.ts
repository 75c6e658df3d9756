/** What the index has of a receipt: read from its body, which the audit compares with it. */
import type { Receipt } from '../receipt.ts';
import type { ReceiptRow } from '../tables.ts';

export interface Body extends Receipt {
  readonly seq: number;
  readonly argsDigest?: string;
}

export function readBody(text: unknown): Body | undefined {
  // A row that was tampered with may contain anything, including bytes and numbers.
  if (typeof text !== 'string') return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Body) : undefined;
  } catch {
    return undefined;
  }
}

/** The columns that repeat a receipt. Written from it, and audited against it. */
export type ReceiptColumns = Omit<ReceiptRow, 'body' | 'leaf' | 'salt' | 'args'>;

export function toColumns(receipt: Partial<Receipt>, seq: number): ReceiptColumns {
  return {
    seq,
    id: toText(receipt.id),
    at: toTime(receipt.at),
    operation: toText(receipt.operation),
    tier: toText(receipt.tier),
    open_world: receipt.openWorld === true ? 1 : 0,
    principal: toText(receipt.principal),
    tenant: toText(receipt.tenant),
    outcome: toText(receipt.outcome),
    key_record: toText(receipt.keyRecord),
    server: toText(receipt.server),
    decision: toText(receipt.decision),
    approval: toText(receipt.approval),
  };
}

/** Milliseconds; zero for what is no time. */
export function toTime(value: unknown): number {
  const at = Date.parse(toText(value));
  return Number.isNaN(at) ? 0 : at;
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
