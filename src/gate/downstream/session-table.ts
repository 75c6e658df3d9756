/** The lines that are open, each by its key and with its owner; those that idle are closed. */

export interface Line extends AsyncDisposable {
  /** Somebody waits on it. */
  readonly isBusy: boolean;
}

export interface LineTableOptions {
  readonly idleMs: number;
  readonly limit: number;
  readonly report: (message: string, cause: unknown) => void;
}

interface Entry<L> {
  readonly line: L;
  readonly owner: string;
  lastUsed: number;
}

const LONGEST_SWEEP_MS = 60_000;

export class LineTable<L extends Line> implements AsyncDisposable {
  readonly #options: LineTableOptions;
  readonly #entries = new Map<string, Entry<L>>();
  readonly #sweeper: NodeJS.Timeout;
  /** Those that were asked for and are not open yet. */
  #opening = 0;
  #isClosed = false;

  constructor(options: LineTableOptions) {
    this.#options = options;
    const every = Math.min(options.idleMs, LONGEST_SWEEP_MS);
    this.#sweeper = setInterval(() => this.#sweep(), every).unref();
  }

  get isFull(): boolean {
    return this.#entries.size + this.#opening >= this.#options.limit;
  }

  /** Another's line is not there, as far as this owner can tell. */
  find(key: string, owner: string): L | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.owner !== owner) return undefined;
    entry.lastUsed = Date.now();
    return entry.line;
  }

  async add(key: string, owner: string, open: () => Promise<L>): Promise<L> {
    this.#opening += 1;
    try {
      const line = await open();
      this.#entries.set(key, { line, owner, lastUsed: Date.now() });
      // Opened for a table that was closed meanwhile.
      if (this.#isClosed) await this.close(key);
      return line;
    } finally {
      this.#opening -= 1;
    }
  }

  /** A line that has ended by itself; another may already have its key. */
  forget(key: string, line: L): void {
    if (this.#entries.get(key)?.line === line) this.#entries.delete(key);
  }

  async close(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    try {
      await entry?.line[Symbol.asyncDispose]();
    } catch (error) {
      this.#options.report('a channel could not be closed', error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    await Promise.all([...this.#entries.keys()].map((key) => this.close(key)));
  }

  #sweep(): void {
    const oldest = Date.now() - this.#options.idleMs;
    for (const [key, { line, lastUsed }] of this.#entries) {
      if (!line.isBusy && lastUsed <= oldest) void this.close(key);
    }
  }
}
