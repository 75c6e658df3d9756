/** What is outside: a partner that is sent requests, has effects that can be counted, and answers. */
import { NotSentError, ProblemError } from 'plimsoll/server';
import type { Clock } from './clock.ts';
import type { Points } from './points.ts';
import { currentPasser } from './points.ts';

interface PartnerFaults {
  readonly points: Points;
  readonly clock: Clock;
  readonly meanwhile: () => Promise<void>;
}

interface PartnerEffect {
  readonly key: string;
  readonly attempt: number;
}

export class Partner {
  readonly effects: PartnerEffect[] = [];
  readonly #faults: PartnerFaults;
  /** Keys that it has promised never to act on. */
  readonly #cancelled = new Set<string>();

  constructor(faults: PartnerFaults) {
    this.#faults = faults;
  }

  /** `once`: the partner acts once for each key. */
  async act(key: string, once: boolean): Promise<void> {
    await this.#send();
    const { attempt } = currentPasser();
    const isKnown = this.effects.some((effect) => effect.key === key);
    const isCancelled = this.#cancelled.has(key);
    if (!(once && isKnown) && !isCancelled) this.effects.push({ key, attempt });
    await this.#receive();
    if (isCancelled) throw new ProblemError('not-executed', 'It was cancelled.');
  }

  async read(): Promise<void> {
    await this.#send();
    await this.#receive();
  }

  /** Whether it has acted on a key; if not, it never will. */
  async lookUp(key: string): Promise<boolean> {
    await this.#send();
    const isDone = this.effects.some((effect) => effect.key === key);
    if (!isDone) this.#cancelled.add(key);
    await this.#receive();
    return isDone;
  }

  async #send(): Promise<void> {
    switch (this.#faults.points.pass('send')) {
      case 'error':
        throw new NotSentError('connection refused');
      case 'lost':
        throw new Error('the line broke on the way there');
      case 'crash':
        return currentPasser().life.crash();
      case 'delay':
        return this.#delay();
      case undefined:
    }
  }

  async #receive(): Promise<void> {
    switch (this.#faults.points.pass('receive')) {
      case 'error':
        throw new SyntaxError('the answer is no JSON');
      case 'lost':
        throw new Error('the line broke on the way back');
      case 'crash':
        return currentPasser().life.crash();
      case 'delay':
        return this.#delay();
      case undefined:
    }
  }

  async #delay(): Promise<void> {
    this.#faults.clock.passLease();
    await this.#faults.meanwhile();
  }
}
