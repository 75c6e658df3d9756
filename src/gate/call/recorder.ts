/**
 * Keeps what could not be recorded at once: it is tried again until the ledger is back, and counted
 * meanwhile. A call is answered whether or not its receipt could be written.
 */

const EVERY_MS = 1000;
/** About ten minutes; after that the entry is given up and reported. */
const MOST_TRIES = 600;

/** `isRetry`: an earlier try may have been written all the same. */
type Work = (isRetry: boolean) => Promise<void>;

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

  async keep(name: string, work: Work): Promise<void> {
    try {
      await work(false);
    } catch (error) {
      this.#report(`the receipt of ${name} could not be written and is tried again`, error);
      this.#waiting.push({ name, work, tries: 1 });
      this.#schedule();
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
