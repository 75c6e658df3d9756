/**
 * What the pipeline needs from a ledger. `record` is enough for a server without keyed operations;
 * `openLedger` provides all of it on a durable store.
 */
import type { KeyRecords, Settlement } from './idempotency/key-records.ts';
import type { Receipt } from './receipt.ts';
import type { Secrets } from './secrets/secrets.ts';
import type { Store, Tx } from './store.ts';

export interface Ledger {
  /**
   * Resolves when the receipt is stored, and settled with it what the entry settles; the receipt of a
   * read may only be queued by then. After a rejection the same entry is passed again, which must not
   * store it twice. With `tx`, it is stored as part of that transaction.
   */
  record(entry: Entry, tx?: Tx): void | Promise<void>;
  /** The store behind it; lets a server sweep. */
  readonly store?: Store;
  readonly keyRecords?: KeyRecords;
  readonly secrets?: Secrets;
}

export interface Entry {
  readonly receipt: Receipt;
  readonly args: unknown;
  /** An earlier transaction with an unknown result may have stored a receipt with this id. */
  readonly mayBeStored?: boolean;
  /** Settles the call's key record in the same transaction. */
  readonly settlement?: Settlement;
}
