/** The calls of a gate that have not ended, by their ids, and what ended ones have left to be done. */
import type { RpcId } from '../protocol/frame.ts';
import type { Call } from './call.ts';

export class OpenCalls extends Map<RpcId, Call> {
  readonly #report: (trouble: string, cause: unknown) => void;
  readonly #works = new Set<Promise<void>>();
  #idle: (() => void) | undefined;

  constructor(report: (trouble: string, cause: unknown) => void) {
    super();
    this.#report = report;
  }

  override delete(id: RpcId): boolean {
    const wasOpen = super.delete(id);
    if (this.size === 0) this.#idle?.();
    return wasOpen;
  }

  follow(trouble: string, work: Promise<void>): void {
    const followed = work
      .catch((error: unknown) => this.#report(trouble, error))
      .finally(() => this.#works.delete(followed));
    this.#works.add(followed);
  }

  async untilIdle(): Promise<void> {
    while (this.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    while (this.#works.size > 0) await Promise.all(this.#works);
  }
}
