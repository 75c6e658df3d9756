/** Tells a client that a call of its waits for a person, if it asked for progress, until disposed of. */
import { readMeta } from '../protocol/envelope.ts';
import type { Frame } from '../protocol/frame.ts';
import { toNotification } from '../protocol/frame.ts';

const EVERY_MS = 5000;
/** Far below what a server reports, whose own progress must not seem to go backwards. */
const SMALL_STEP = 1e-6;

export class WaitingProgress implements Disposable {
  readonly #timer: NodeJS.Timeout | undefined;

  /** Keeps clients from giving up that count from the last progress. */
  constructor({ message: { params } }: Frame, notify: (frame: Frame) => void) {
    const { progressToken } = readMeta(params);
    if (progressToken === undefined) return;
    let steps = 0;
    this.#timer = setInterval(() => {
      steps += 1;
      const progress = Number((steps * SMALL_STEP).toPrecision(6));
      const message = 'Plimsoll is waiting for a person to answer.';
      notify(toNotification('notifications/progress', { progressToken, progress, message }));
    }, EVERY_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
