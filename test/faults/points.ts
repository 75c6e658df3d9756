/**
 * The points at which a call meets the outside: each call of a store's verb, each commit, each request to a
 * partner and each answer. They are numbered as they are passed, and one of them can fail.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * - `error`: it fails, and nothing happened. `lost`: it happened, and nobody is told.
 * - `delay`: it takes longer than a lease, and others go on meanwhile. `crash`: the process ends here.
 */
export type Fault = 'error' | 'lost' | 'delay' | 'crash';

export const FAULTS: readonly Fault[] = Object.freeze(['error', 'lost', 'delay', 'crash']);

export interface Injection {
  readonly point: number;
  readonly fault: Fault;
}

/** Who passes a point: a process, with the attempt it works on. */
export interface Passer {
  readonly life: Life;
  readonly attempt: number;
  /** Attempts that come in during a delay are not part of the plan. */
  readonly isCounted: boolean;
}

const passers = new AsyncLocalStorage<Passer>();

export function passAs<T>(passer: Passer, work: () => T): T {
  return passers.run(passer, work);
}

export function currentPasser(): Passer {
  const passer = passers.getStore();
  if (passer === undefined) throw new Error('a point was passed by nobody');
  return passer;
}

export class Points {
  readonly names: string[] = [];
  readonly #injection: Injection | undefined;

  constructor(injection?: Injection) {
    this.#injection = injection;
  }

  /** The fault that is due here. */
  pass(name: string): Fault | undefined {
    if (!currentPasser().isCounted) return undefined;
    const index = this.names.push(name) - 1;
    return index === this.#injection?.point ? this.#injection.fault : undefined;
  }
}

export class CrashedError extends Error {
  override readonly name = 'CrashedError';
}

/**
 * A process, as far as it can crash: from then on nothing that it waits for ever comes. Once the run has been
 * judged it is buried, so that what still waits in it ends.
 */
export class Life {
  readonly #grave = Promise.withResolvers<never>();
  readonly #crashed = Promise.withResolvers<void>();
  #isDead = false;

  constructor() {
    this.#grave.promise.catch(() => {});
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Resolves when it crashes. */
  get crashed(): Promise<void> {
    return this.#crashed.promise;
  }

  crash(): Promise<never> {
    this.#isDead = true;
    this.#crashed.resolve();
    return this.#grave.promise;
  }

  bury(): void {
    this.#isDead = true;
    this.#grave.reject(new CrashedError('the process has crashed'));
  }
}
