/**
 * Brings the index of receipts up to date when few calls have been recorded for a while, and after
 * somebody has looked at receipts. A failure is not reported: nothing is lost by it, and whoever searches tries again
 * and is told.
 */
import type { Store } from '../store.ts';
import { indexReceipts } from './index-receipts.ts';

const IDLE_MS = 5000;
/** With this many receipts or fewer in that time, the index takes a hundredth of it. */
const FEW = 500;
/** Under a load that never ends it is made all the same, once it is this far behind. */
const MOST_BEHIND = 200_000;
/** The answer of whoever looked goes first. */
const SOON_MS = 50;

export class IdleIndex implements AsyncDisposable {
  readonly #store: Store;
  readonly #idleMs: number;
  #behind = 0;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #indexing: Promise<void> | undefined;
  /** Somebody has asked for it while it was being made. */
  #isWanted = false;
  /** Receipts since the timer was started. */
  #recent = 0;

  constructor(store: Store, idleMs: number = IDLE_MS) {
    this.#store = store;
    this.#idleMs = idleMs;
  }

  /** Receipts were stored. */
  kept(count: number): void {
    this.#behind += count;
    this.#recent += count;
    if (this.#behind >= MOST_BEHIND) this.#start();
    else this.#timer ??= setTimeout(() => this.#look(), this.#idleMs).unref();
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
    clearTimeout(this.#soon);
    await this.#rest();
    if (this.#behind > 0) this.#start();
    clearTimeout(this.#timer);
    await this.#rest();
  }

  /** Resolves when it is not being made. */
  async #rest(): Promise<void> {
    while (this.#indexing !== undefined) await this.#indexing;
  }

  /** Many calls that come meanwhile go first: the rest waits until they are few again. */
  #look(): void {
    this.#timer = undefined;
    const isBusy = this.#recent > FEW;
    this.#recent = 0;
    if (isBusy) this.kept(0);
    else this.#start(() => this.#recent <= FEW || this.#behind >= MOST_BEHIND);
  }

  #start(goesOn?: () => boolean): void {
    if (this.#indexing !== undefined) {
      this.#isWanted = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWanted = false;
    this.#indexing = this.#index(goesOn).finally(() => {
      this.#indexing = undefined;
      if (this.#isWanted) this.#start();
    });
  }

  async #index(goesOn?: () => boolean): Promise<void> {
    const before = this.#behind;
    this.#behind = 0;
    const isDone = await indexReceipts(this.#store, goesOn).catch(() => false);
    if (!isDone) this.#behind += before;
  }
}
