/**
 * Watches the queue in the ledger, so that open pages learn what any gate asks and any console answers.
 * Polls only while there are listeners, once for all of them.
 */
import { createHash } from 'node:crypto';
import type { Store } from '../ledger/store.ts';

export interface QueueState {
  /** Differs for each set of questions. */
  readonly version: string;
  readonly pending: number;
}

interface Listener {
  readonly changed: (state: QueueState) => void;
  /** Nothing more is watched. */
  readonly ended: () => void;
}

const POLL_EVERY_MS = 500;
const MOST = 1000;

export class QueueWatch implements Disposable {
  readonly #store: Store;
  readonly #report: (message: string, cause: unknown) => void;
  readonly #listeners = new Set<Listener>();
  #state: QueueState | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;

  constructor(store: Store, report: (message: string, cause: unknown) => void) {
    this.#store = store;
    this.#report = report;
  }

  /**
   * Called at once with the queue's state, if known, and whenever it changes. Returns a function that
   * unsubscribes.
   */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#timer === undefined) this.#schedule(0);
    else if (this.#state !== undefined) listener.changed(this.#state);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Whether a page is open somewhere. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  [Symbol.dispose](): void {
    for (const { ended } of this.#listeners) ended();
    this.#listeners.clear();
    this.#stop();
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#poll(), ms);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#state = undefined;
  }

  async #poll(): Promise<void> {
    try {
      const state = await this.#read();
      this.#isFailing = false;
      if (state.version !== this.#state?.version && this.#listeners.size > 0) {
        this.#state = state;
        for (const { changed } of this.#listeners) changed(state);
      }
    } catch (error) {
      if (!this.#isFailing) this.#report('the queue cannot be read', error);
      this.#isFailing = true;
    }
    if (this.#listeners.size > 0) this.#schedule(POLL_EVERY_MS);
  }

  async #read(): Promise<QueueState> {
    const rows = await this.#store.transaction(async (tx) =>
      tx.execute(
        `SELECT id FROM approvals WHERE state = 'PENDING' AND expires_at > ?
         ORDER BY created_at LIMIT ${MOST}`,
        [await tx.now()],
      ),
    );
    const ids = rows.map(({ id }) => String(id)).join(' ');
    return { version: createHash('sha256').update(ids).digest('hex'), pending: rows.length };
  }
}
