/** Progress of calls: what the gate itself reports while a person is asked, and that none goes backwards. */
import { readMeta } from '../protocol/envelope.ts';
import type { Frame } from '../protocol/frame.ts';
import { toNotification } from '../protocol/frame.ts';

/** Keeps the progress of a call from going backwards where both the gate and its server report some. */
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

const EVERY_MS = 5000;
/** Far below what a server reports, whose own progress must not seem to go backwards. */
const SMALL_STEP = 1e-6;

/** Tells a client that a call of its waits for a person, if it asked for progress, until disposed of. */
export class WaitingProgress implements Disposable {
  readonly #timer: NodeJS.Timeout | undefined;

  /** Keeps clients from giving up that count from the last progress. */
  constructor(
    { message: { params } }: Frame,
    toMessage: () => string,
    notify: (frame: Frame) => void,
  ) {
    const { progressToken } = readMeta(params);
    if (progressToken === undefined) return;
    let steps = 0;
    this.#timer = setInterval(() => {
      steps += 1;
      const progress = Number((steps * SMALL_STEP).toPrecision(6));
      const message = toMessage();
      notify(toNotification('notifications/progress', { progressToken, progress, message }));
    }, EVERY_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
