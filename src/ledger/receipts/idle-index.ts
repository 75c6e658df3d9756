/**
 * Brings the index of receipts up to date when nothing has been recorded for a while, and behind those who
 * looked at receipts. A failure is not reported: nothing is lost by it, and whoever searches tries again
 * and is told.
 */
import type { Store } from '../store.ts';
import { indexReceipts } from './index-receipts.ts';

/** Longer than an agent usually thinks between two calls. */
const IDLE_MS = 5000;
/** Under a load that never ends it is made all the same, once it is this far behind. */
const MOST_BEHIND = 100_000;
/** The answer of whoever looked goes first. */
const SOON_MS = 50;

export class IdleIndex implements AsyncDisposable {
  readonly #store: Store;
  readonly #idleMs: number;
  #behind = 0;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #indexing: Promise<void> | undefined;
  /** Nothing was recorded since the idle time began. */
  #isIdle = false;

  constructor(store: Store, idleMs: number = IDLE_MS) {
    this.#store = store;
    this.#idleMs = idleMs;
  }

  /** Receipts were stored. */
  kept(count: number): void {
    this.#behind += count;
    this.#isIdle = false;
    if (this.#behind >= MOST_BEHIND) this.#start();
    else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#startIdle(), this.#idleMs).unref();
    } else this.#timer.refresh();
  }

  /** Somebody looks at receipts, which others may have stored: the next look finds them indexed. */
  soon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#start();
    }, SOON_MS).unref();
  }

  /** What this process has recorded may next be searched by hand. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#indexing;
    if (this.#behind > 0) this.#start();
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    await this.#indexing;
  }

  /** Calls that come meanwhile go first: the rest waits for the next idle time. */
  #startIdle(): void {
    this.#isIdle = true;
    this.#start(() => this.#isIdle || this.#behind >= MOST_BEHIND);
  }

  #start(goesOn?: () => boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#indexing !== undefined) return;
    this.#indexing = this.#index(goesOn).finally(() => (this.#indexing = undefined));
  }

  async #index(goesOn?: () => boolean): Promise<void> {
    const before = this.#behind;
    this.#behind = 0;
    const isDone = await indexReceipts(this.#store, goesOn).catch(() => false);
    if (!isDone) this.#behind += before;
  }
}
