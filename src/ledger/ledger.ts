/** The port to whatever keeps receipts. Adapters decide how durable "kept" is. */
import type { Receipt } from './receipt.ts';

export interface Ledger {
  /** Resolves when the receipt is kept; a rejection fails the call. */
  record(receipt: Receipt): void | Promise<void>;
}
