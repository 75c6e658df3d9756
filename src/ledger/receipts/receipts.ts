/**
 * Stores receipts: those of reads in the background, in batches and within 50 ms; all others before the
 * call is answered. Delivered answers are also recorded in the background.
 */
import { TIERS } from '../../effect/tier.ts';
import { keyRecordMachine } from '../idempotency/key-record-machine.ts';
import type { HeldKey, KeyRecord } from '../idempotency/key-record.ts';
import { wasDelivered } from '../idempotency/key-record.ts';
import type { KeyRecords, Settlement } from '../idempotency/key-records.ts';
import { apply, KeyRecordLostError } from '../idempotency/key-records.ts';
import type { LedgerKeys } from '../keys.ts';
import type { Entry } from '../ledger.ts';
import type { Store, Tx } from '../store.ts';
import { CommitUnknownError, StoreUnavailableError } from '../store.ts';
import type { ArgumentPolicy } from './append-receipts.ts';
import { appendReceipts } from './append-receipts.ts';

const BEHIND_MS = 50;
const MOST_BEHIND = 1000;
/** Then calls have their turn: clients and servers run out of work while a whole batch is written. */
const AT_ONCE = 64;
/** But other processes wait for the transaction: after this long, the rest is written in one go. */
const MOST_TURNS_MS = 20;
const RETRY_MS = 1000;
/** While the ledger is unavailable, this many of the newest receipts of reads wait for it. */
const MOST_UNKEPT = 50_000;

/** In a row; whoever waits for the receipt goes on after a pause. */
const MOST_LOOKUPS = 3;

interface ReceiptOptions {
  readonly keys: LedgerKeys;
  readonly keyRecords: KeyRecords;
  readonly arguments: ArgumentPolicy;
  /** Called when receipts of reads could not be stored. */
  readonly onLost: (count: number, cause: unknown) => void;
  /** Called after receipts were stored, or as part of a transaction that will store them. */
  readonly onKept: (count: number) => void;
}

export class Receipts implements AsyncDisposable {
  readonly #store: Store;
  readonly #options: ReceiptOptions;
  #behind: Entry[] = [];
  /** Receipts of one commit with an unknown result: all of them are stored, or none. */
  #unsure: readonly Entry[] = [];
  /** Entries that an earlier try may have stored; whoever retries passes the same object. */
  readonly #inDoubt = new WeakSet<Entry>();
  /** Calls whose answer has been sent, by key record, until that is stored. */
  readonly #delivered = new Map<string, HeldKey>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  /** Receipts that their caller is waiting for. */
  readonly #ahead = new Set<Promise<void>>();
  #isClosed = false;

  constructor(store: Store, options: ReceiptOptions) {
    this.#store = store;
    this.#options = options;
  }

  record(entry: Entry, tx?: Tx): void | Promise<void> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailableError('the ledger is closed'));
    if (tx !== undefined) return this.#keepIn(tx, [entry]).then(() => this.#options.onKept(1));
    if (!TIERS[entry.receipt.tier].readsOnly || entry.settlement !== undefined) {
      const kept = this.#keep(entry).finally(() => this.#ahead.delete(kept));
      this.#ahead.add(kept);
      return kept;
    }
    this.#behind.push(entry);
    if (this.#behind.length === MOST_BEHIND) return this.flush();
    this.#timer ??= setTimeout(() => void this.flush(), BEHIND_MS);
    return undefined;
  }

  delivered(held: HeldKey): void {
    if (this.#isClosed) return;
    this.#delivered.set(held.id, held);
    this.#timer ??= setTimeout(() => void this.flush(), BEHIND_MS);
  }

  wasDelivered(keyRecord: KeyRecord): boolean {
    return this.#delivered.has(keyRecord.id) || wasDelivered(keyRecord);
  }

  /** Resolves when everything waiting now has been tried; what could not be stored is retried later. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#flushing = this.#flushing
      .then(() => this.#keepBehind())
      .then(() => this.#keepDelivered()));
  }

  /** Accepts nothing more; resolves when everything accepted is stored, or counted as lost. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#ahead);
    await this.flush();
    // One more attempt, in case the ledger was unavailable only briefly.
    if (this.#unkept > 0) await this.flush();
    clearTimeout(this.#timer);
    if (this.#unkept > 0) this.#options.onLost(this.#unkept, 'the ledger was unavailable');
  }

  async #keepBehind(): Promise<void> {
    const unsure = this.#unsure;
    const fresh = this.#behind;
    const [first = fresh[0]] = unsure;
    if (first === undefined) return;
    this.#behind = [];
    this.#unsure = [];
    let trying: readonly Entry[] = [...unsure, ...fresh];
    try {
      const write = async (tx: Tx): Promise<void> => {
        const isThere =
          unsure.length > 0 && (await tx.find('receipt_log', { id: first.receipt.id }));
        trying = isThere ? fresh : [...unsure, ...fresh];
        await this.#keepInParts(tx, trying);
      };
      await this.#store.transaction(write, { isRepeatable: true });
      this.#options.onKept(unsure.length + fresh.length);
    } catch (cause) {
      if (cause instanceof CommitUnknownError) this.#unsure = trying;
      else if (cause instanceof StoreUnavailableError) {
        [this.#unsure, this.#behind] = [unsure, [...fresh, ...this.#behind]];
      } else {
        this.#unsure = unsure;
        await this.#keepEach(fresh);
      }
      const excess = this.#behind.length - MOST_UNKEPT;
      if (excess > 0) this.#options.onLost(this.#behind.splice(0, excess).length, cause);
      if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.flush(), RETRY_MS);
    }
  }

  /** Whoever waits for the ledger goes before the calls of this process. */
  async #keepInParts(tx: Tx, entries: readonly Entry[]): Promise<void> {
    const until = performance.now() + MOST_TURNS_MS;
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      const isFree = this.#store.isAwaited === false && performance.now() < until;
      if (at > 0 && isFree) await new Promise(setImmediate);
      await this.#keepIn(tx, entries.slice(at, at + AT_ONCE));
    }
  }

  /** Something is wrong with one of them, which must not take the others with it. */
  async #keepEach(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      try {
        await this.#keep(entry);
      } catch (cause) {
        const isOfStore =
          cause instanceof StoreUnavailableError || cause instanceof CommitUnknownError;
        if (isOfStore) this.#behind.push(entry);
        else this.#options.onLost(1, cause);
      }
    }
  }

  /** Not retried: if it is lost, the answer is replayed once more, which is harmless. */
  async #keepDelivered(): Promise<void> {
    const delivered = [...this.#delivered.values()];
    if (delivered.length === 0) return;
    const write = async (tx: Tx): Promise<void> => {
      for (const held of delivered) await apply(tx, keyRecordMachine.deliver(held));
    };
    await this.#store.transaction(write, { isRepeatable: true }).catch(() => {});
    for (const { id } of delivered) this.#delivered.delete(id);
  }

  get #unkept(): number {
    return this.#unsure.length + this.#behind.length;
  }

  /** A commit with an unknown result is looked up by the receipt's id, and tried again if it was lost. */
  async #keep(entry: Entry): Promise<void> {
    const { id } = entry.receipt;
    for (let tries = 1; ; tries += 1) {
      try {
        const write = async (tx: Tx): Promise<void> => {
          const isUnsure = entry.mayBeStored === true || this.#inDoubt.has(entry);
          if (isUnsure && (await tx.find('receipt_log', { id }))) return;
          await this.#keepIn(tx, [entry]);
        };
        await this.#store.transaction(write, { isRepeatable: true });
        this.#options.onKept(1);
        return;
      } catch (error) {
        const isUnknown = error instanceof CommitUnknownError;
        if (isUnknown) this.#inDoubt.add(entry);
        if (isUnknown && tries < MOST_LOOKUPS) continue;
        throw error;
      }
    }
  }

  /**
   * A key record that is no longer ours stays as it is, and the receipt still says what happened. A
   * local effect has not happened yet: it must not outlive the key record it belongs to.
   */
  async #settle(tx: Tx, settlement: Settlement): Promise<void> {
    const isOurs = await this.#options.keyRecords.settle(tx, settlement);
    const { held, kind } = settlement;
    if (!isOurs && kind === 'succeeded' && held.effectClass === 'local') {
      throw new KeyRecordLostError(`key record ${held.id} was taken over`);
    }
  }

  async #keepIn(tx: Tx, entries: readonly Entry[]): Promise<void> {
    for (const { settlement } of entries) {
      if (settlement !== undefined) await this.#settle(tx, settlement);
    }
    await appendReceipts(tx, entries, this.#options.arguments, this.#options.keys);
  }
}
