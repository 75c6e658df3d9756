/** Keeps the progress of a call from going backwards where both the gate and its server report some. */
import { readMeta } from '../protocol/envelope.ts';
import type { Frame } from '../protocol/frame.ts';

export class ProgressOrder {
  /** The last that the gate itself reported, by token. */
  readonly #last = new Map<unknown, number>();

  /** Something that the gate tells a client. */
  told({ message: { method, params = {} } }: Frame): void {
    if (method !== 'notifications/progress') return;
    this.#last.set(params['progressToken'], Number(params['progress']));
  }

  /** Of something that a server tells. */
  isBackwards({ message: { method, params = {} } }: Frame): boolean {
    if (method !== 'notifications/progress') return false;
    const last = this.#last.get(params['progressToken']);
    return last !== undefined && Number(params['progress']) <= last;
  }

  ended(call: Frame | undefined): void {
    this.#last.delete(readMeta(call?.message.params)['progressToken']);
  }
}
