/**
 * Keeps what could not be recorded at once: it is tried again until the ledger is back, and counted
 * meanwhile. Whoever waits for it is told whether it has been recorded by then. What is kept is bounded:
 * calls that did nothing go without a receipt when it is full, and whoever runs calls asks first.
 */
import { setTimeout as wait } from 'node:timers/promises';

const EVERY_MS = 1000;
/** The pauses while somebody waits: the first, and the longest. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** About ten minutes; after that the entry is given up and reported. */
const MOST_TRIES = 600;
const CLOSE_MS = 3000;
/** Of calls that wait for the ledger: each keeps its arguments in memory. */
const MOST_WAITING = 1000;
/** Of calls without a receipt, in the last report. */
const MOST_NAMES = 10;

/** `isRetry`: an earlier try may have been written all the same. */
type Work = (isRetry: boolean) => void | Promise<void>;

interface Keeping {
  /** How long its caller waits for it. Default: one try, however long it takes. */
  readonly patience?: {
    readonly ms: number;
    /** Whether more than one try is made meanwhile. */
    readonly retries: boolean;
  };
  /** The call did nothing, and nothing waits to be given back: its receipt is the first to be left out. */
  readonly didNothing?: boolean;
}

interface Waiting {
  readonly name: string;
  readonly work: Work;
  tries: number;
}

export class Recorder {
  readonly #report: (message: string, cause?: unknown) => void;
  readonly #waiting = new Set<Waiting>();
  /** First tries that are under way. */
  readonly #trying = new Map<Promise<unknown>, string>();
  #flushing: Promise<void> | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #lost = 0;
  /** Of these, the calls that did nothing and were left out since it was last full. */
  #leftOut = 0;

  constructor(report: (message: string, cause?: unknown) => void) {
    this.#report = report;
  }

  /** Too many calls wait for the ledger: nothing more may run that has to be recorded. */
  get isFull(): boolean {
    return this.#waiting.size + this.#trying.size >= MOST_WAITING;
  }

  /**
   * Returns whether it has been recorded by the time that its caller stops waiting; if not, it goes on
   * behind.
   */
  async keep(
    name: string,
    work: Work,
    { patience, didNothing = false }: Keeping = {},
  ): Promise<boolean> {
    if (didNothing && this.isFull) return this.#leaveOut();
    const trying = this.#try(name, work, patience?.retries ? patience.ms : 0).finally(() =>
      this.#trying.delete(trying),
    );
    this.#trying.set(trying, name);
    if (patience === undefined) return trying;
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), patience.ms);
    try {
      return await Promise.race([trying, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same without anybody who waits: `undefined` where the ledger took it in this turn of the loop. */
  keepBehind(name: string, work: Work): Promise<boolean> | undefined {
    let first: void | Promise<void>;
    try {
      first = work(false);
    } catch (error) {
      first = Promise.reject(error);
    }
    if (first === undefined) return undefined;
    return this.keep(name, (isRetry) => (isRetry ? work(true) : first));
  }

  /** Tries what waits once more. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing ??= this.#retryAll().finally(() => {
      this.#flushing = undefined;
      this.#flushedAt = performance.now();
      if (this.#waiting.size > 0) this.#schedule();
    });
    return this.#flushing;
  }

  /** Tries what waits once more, and says what still has no receipt. A ledger that hangs holds up nobody. */
  async settle(withinMs: number = CLOSE_MS): Promise<number> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    await Promise.race([late, this.#finish()]);
    clearTimeout(timer);
    return this.sumUp();
  }

  /** For the last time, before the ledger closes. */
  async close(withinMs?: number): Promise<number> {
    const count = await this.settle(withinMs);
    clearTimeout(this.#timer);
    return count;
  }

  /** Gives how many calls have no receipt, for now or for good, and reports which. */
  sumUp(): number {
    const count = this.#waiting.size + this.#trying.size + this.#lost;
    if (count > 0) {
      const open = [...this.#trying.values(), ...[...this.#waiting].map(({ name }) => name)];
      const names = [...new Set(open)].slice(0, MOST_NAMES);
      const which = names.length > 0 ? ` (${names.join(', ')})` : '';
      const calls = count === 1 ? '1 call has' : `${count} calls have`;
      this.#report(`${calls} no receipt, since the ledger could not be written to${which}`);
    }
    return count;
  }

  /** A ledger that was just tried in vain is not tried again at once: each try may take long. */
  async #finish(): Promise<void> {
    await Promise.all(this.#trying.keys());
    await this.#flushing;
    if (performance.now() - this.#flushedAt > EVERY_MS) await this.flush();
  }

  async #try(name: string, work: Work, ms: number): Promise<boolean> {
    const until = performance.now() + ms;
    let pause = FIRST_PAUSE_MS;
    for (let tries = 1; ; tries += 1) {
      try {
        await work(tries > 1);
        return true;
      } catch (error) {
        if (performance.now() + pause < until) {
          await wait(pause);
          pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
          continue;
        }
        this.#report(`the receipt of ${name} could not be written and is tried again`, error);
        this.#waiting.add({ name, work, tries });
        this.#schedule();
        return false;
      }
    }
  }

  #leaveOut(): false {
    this.#lost += 1;
    this.#leftOut += 1;
    if (this.#leftOut === 1) {
      this.#report(
        `${MOST_WAITING} calls wait for the ledger; calls that are refused meanwhile leave no receipt`,
      );
    }
    return false;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), EVERY_MS).unref();
  }

  async #retryAll(): Promise<void> {
    const waiting = [...this.#waiting]; // what comes meanwhile has just been tried
    for (const entry of waiting) await this.#retry(entry);
    if (this.#leftOut === 0 || this.isFull) return;
    const calls =
      this.#leftOut === 1 ? '1 refused call has' : `${this.#leftOut} refused calls have`;
    this.#leftOut = 0;
    this.#report(`the ledger can be written to again; ${calls} no receipt`);
  }

  async #retry(entry: Waiting): Promise<void> {
    try {
      await entry.work(true);
      this.#waiting.delete(entry);
    } catch (error) {
      entry.tries += 1;
      if (entry.tries < MOST_TRIES) return;
      this.#waiting.delete(entry);
      this.#lost += 1;
      this.#report(`the receipt of ${entry.name} is lost`, error);
    }
  }
}
