/** When the ledger or a process could not work, so that nothing is counted as late that could not be done. */

export class Disturbances {
  readonly #past: { readonly from: number; readonly to: number }[] = [];
  readonly #running = new Set<number>();

  async during<T>(work: Promise<T>): Promise<T> {
    const from = Date.now();
    this.#running.add(from);
    try {
      return await work;
    } finally {
      this.#running.delete(from);
      this.#past.push({ from, to: Date.now() });
    }
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** When the last one ended; now, while there is one. */
  get calmSince(): number {
    return this.isRunning ? Date.now() : Math.max(0, ...this.#past.map(({ to }) => to));
  }

  /** Whether there was one in this time, or so shortly before it that its effects were still felt. */
  touches(from: number, to: number, afterMs: number): boolean {
    const isIn = (each: { readonly from: number; readonly to: number }): boolean =>
      each.from <= to && each.to + afterMs >= from;
    return this.#past.some(isIn) || [...this.#running].some((since) => since <= to);
  }
}
