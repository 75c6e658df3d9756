/**
 * Keeps receipts: those of reads behind the call, together and within 50 ms; all others before the
 * call is answered.
 */
import { TIERS } from '../../effect/tier.ts';
import type { Claims, Settlement } from '../claims/claims.ts';
import { ClaimLostError } from '../claims/claims.ts';
import type { LedgerKeys } from '../keys.ts';
import type { Entry } from '../ledger.ts';
import type { Store, Tx } from '../store.ts';
import type { ArgumentPolicy } from './append-receipts.ts';
import { appendReceipts } from './append-receipts.ts';

const BEHIND_MS = 50;
const MOST_BEHIND = 1000;

export interface ReceiptOptions {
  readonly keys: LedgerKeys;
  readonly claims: Claims;
  readonly arguments: ArgumentPolicy;
  /** Told when receipts of reads could not be kept. */
  readonly onLost: (count: number, cause: unknown) => void;
  /** Told after receipts were kept, or are about to be together with what their transaction does. */
  readonly onKept: (count: number) => void;
}

export class Receipts implements AsyncDisposable {
  readonly #store: Store;
  readonly #options: ReceiptOptions;
  #behind: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(store: Store, options: ReceiptOptions) {
    this.#store = store;
    this.#options = options;
  }

  record(entry: Entry, tx?: Tx): void | Promise<void> {
    if (tx !== undefined) return this.#keepIn(tx, [entry]).then(() => this.#options.onKept(1));
    if (!TIERS[entry.receipt.tier].looksOnly || entry.settlement !== undefined) {
      return this.#keep([entry]);
    }
    this.#behind.push(entry);
    if (this.#behind.length >= MOST_BEHIND) return this.flush();
    this.#timer ??= setTimeout(() => void this.flush(), BEHIND_MS);
    return undefined;
  }

  /** Resolves when nothing waits any more. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#behind;
    this.#behind = [];
    if (entries.length > 0) {
      this.#flushing = this.#flushing
        .then(() => this.#keep(entries))
        .catch((cause: unknown) => this.#options.onLost(entries.length, cause));
    }
    return this.#flushing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
  }

  async #keep(entries: readonly Entry[]): Promise<void> {
    await this.#store.transaction((tx) => this.#keepIn(tx, entries));
    this.#options.onKept(entries.length);
  }

  /**
   * A claim that is no longer ours stays as it is, and what has happened is told truly. A local effect
   * has not happened yet: it must not outlive the claim it belongs to.
   */
  async #settle(tx: Tx, settlement: Settlement): Promise<void> {
    const isOurs = await this.#options.claims.settle(tx, settlement);
    const { held, kind } = settlement;
    if (!isOurs && kind === 'succeeded' && held.effectClass === 'local') {
      throw new ClaimLostError(`claim ${held.id} was taken over`);
    }
  }

  async #keepIn(tx: Tx, entries: readonly Entry[]): Promise<void> {
    for (const { settlement } of entries) {
      if (settlement !== undefined) await this.#settle(tx, settlement);
    }
    await appendReceipts(tx, entries, this.#options.arguments, this.#options.keys);
  }
}
