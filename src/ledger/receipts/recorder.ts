/**
 * Keeps what could not be recorded at once: it is tried again until the ledger is back, and counted
 * meanwhile. Whoever waits for it is told whether it has been recorded by then.
 */
import { setTimeout as wait } from 'node:timers/promises';

const EVERY_MS = 1000;
/** The pauses while somebody waits: the first, and the longest. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** About ten minutes; after that the entry is given up and reported. */
const MOST_TRIES = 600;

/** `isRetry`: an earlier try may have been written all the same. */
type Work = (isRetry: boolean) => Promise<void>;

export interface Patience {
  readonly ms: number;
  /** Whether more than one try is made meanwhile. */
  readonly retries: boolean;
}

interface Waiting {
  readonly name: string;
  readonly work: Work;
  tries: number;
}

export class Recorder {
  readonly #report: (message: string, cause?: unknown) => void;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lost = 0;

  constructor(report: (message: string, cause?: unknown) => void) {
    this.#report = report;
  }

  /** How many calls have no receipt, for now or for good. */
  get unrecorded(): number {
    return this.#waiting.length + this.#lost;
  }

  /**
   * Returns whether it has been recorded by the time that its caller stops waiting; if not, it goes on
   * behind. Without `patience`, one try is waited for, however long it takes.
   */
  async keep(name: string, work: Work, patience?: Patience): Promise<boolean> {
    const trying = this.#try(name, work, patience?.retries ? patience.ms : 0);
    if (patience === undefined) return trying;
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), patience.ms);
    try {
      return await Promise.race([trying, late]);
    } finally {
      clearTimeout(timer);
    }
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
        this.#waiting.push({ name, work, tries });
        this.#schedule();
        return false;
      }
    }
  }

  /** Tries what waits once more; before the ledger closes. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const entry of this.#waiting.splice(0)) await this.#retry(entry);
    if (this.#waiting.length > 0) this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), EVERY_MS).unref();
  }

  async #retry(entry: Waiting): Promise<void> {
    try {
      await entry.work(true);
    } catch (error) {
      entry.tries += 1;
      if (entry.tries < MOST_TRIES) this.#waiting.push(entry);
      else {
        this.#lost += 1;
        this.#report(`the receipt of ${entry.name} is lost`, error);
      }
    }
  }
}
