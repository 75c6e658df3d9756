/**
 * Tells those who wait for the end of a question. What this process decides is pushed at once; what
 * others decide (a terminal, another console) is found by one poll for all open questions together.
 */
import type { Approval } from './approval.ts';

export type DecisionListener = (approval: Approval) => void;

export interface DecisionWatchOptions {
  /** Default: 250. */
  readonly pollMs?: number;
  readonly report?: (message: string, cause?: unknown) => void;
}

const POLL_MS = 250;

export class DecisionWatch {
  readonly #findEnded: (ids: readonly string[]) => Promise<readonly Approval[]>;
  readonly #pollMs: number;
  readonly #report: (message: string, cause?: unknown) => void;
  readonly #listeners = new Map<string, Set<DecisionListener>>();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isFailing = false;

  /** `findEnded` gives those of the questions that are no longer open. */
  constructor(
    findEnded: (ids: readonly string[]) => Promise<readonly Approval[]>,
    { pollMs = POLL_MS, report = () => {} }: DecisionWatchOptions = {},
  ) {
    this.#findEnded = findEnded;
    this.#pollMs = pollMs;
    this.#report = report;
  }

  /** Calls the listener once, when the question is no longer open. Returns what stops it. */
  watch(id: string, listener: DecisionListener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    this.#schedule();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  waitFor(
    id: string,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Approval | undefined> {
    return new Promise((resolve) => {
      const end = (approval?: Approval): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        unwatch();
        resolve(approval);
      };
      const stop = (): void => end();
      const unwatch = this.watch(id, end);
      const timer = setTimeout(stop, timeoutMs);
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) stop();
    });
  }

  /** Of a question that has just been decided. */
  push(approval: Approval): void {
    const listeners = this.#listeners.get(approval.id);
    if (approval.state === 'PENDING' || listeners === undefined) return;
    this.#listeners.delete(approval.id);
    if (this.#listeners.size === 0) this.#stop();
    for (const listener of listeners) {
      try {
        listener(approval);
      } catch (error) {
        // Whoever decided must not hear of a fault in whoever waits.
        this.#report('the end of a question was not handled', error);
      }
    }
  }

  #schedule(): void {
    if (this.#isPolling || this.#timer !== undefined || this.#listeners.size === 0) return;
    this.#timer = setTimeout(() => void this.#poll(), this.#pollMs);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #poll(): Promise<void> {
    this.#timer = undefined;
    this.#isPolling = true;
    try {
      const ended = await this.#findEnded([...this.#listeners.keys()]);
      this.#isFailing = false;
      for (const approval of ended) this.push(approval);
    } catch (error) {
      if (!this.#isFailing) this.#report('open questions could not be read; trying again', error);
      this.#isFailing = true;
    }
    this.#isPolling = false;
    this.#schedule();
  }
}
