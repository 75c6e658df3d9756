/**
 * The calls of one transport, so that it can close without losing any: no new ones begin, those that
 * run get a grace time, and what has not ended by then is cut off and recorded as unknown.
 */
import type { CallRequest, Stopping } from '../invoke/flow.ts';
import type { Recorded } from '../invoke/outcome.ts';
import type { PlimsollServer } from './create-server.ts';

const GRACE_MS = 10_000;
/** For recording what was cut off, and for the last answers to leave. */
const RECORD_MS = 6000;
const ANSWER_MS = 1000;

export interface TrackedCalls {
  /** The same server, for this transport only. */
  readonly server: PlimsollServer;
  /** A request whose answer must have left before the transport closes. */
  expectAnswer(request: unknown): void;
  answered(request: unknown): void;
  /** Resolves when every call has ended and is recorded. `isLast`: no new calls can arrive. */
  drain(isLast?: boolean): Promise<void>;
}

export function trackCalls(server: PlimsollServer, graceMs: number = GRACE_MS): TrackedCalls {
  const running = new Pending();
  const answers = new Pending();
  const cuts = new Set<() => void>();
  let [isStopping, isCutOff] = [false, false];
  const stopping: Stopping = {
    get isStopping() {
      return isStopping;
    },
    get isCutOff() {
      return isCutOff;
    },
    onCutOff(cut) {
      if (isCutOff) cut();
      cuts.add(cut);
      return () => cuts.delete(cut);
    },
  };

  async function invoke(request: CallRequest): Promise<Recorded> {
    running.add(request);
    try {
      return await server.invoke({ ...request, stopping });
    } finally {
      running.delete(request);
    }
  }

  async function drain(): Promise<void> {
    const until = performance.now() + graceMs;
    await answers.empty(graceMs);
    await running.empty(until - performance.now());
    [isStopping, isCutOff] = [true, true];
    for (const cut of cuts) cut();
    await running.empty(RECORD_MS);
    await answers.empty(ANSWER_MS);
    await server.flush();
  }

  let draining: Promise<void> | undefined;
  return {
    server: Object.freeze({ ...server, invoke }),
    expectAnswer: (request) => answers.add(request),
    answered: (request) => answers.delete(request),
    drain: (isLast = false) => {
      if (!isLast) isStopping = true;
      return (draining ??= drain());
    },
  };
}

/** Things that have begun and not ended, and somebody who waits until there are none. */
class Pending {
  readonly #open = new Set<unknown>();
  #whenEmpty: PromiseWithResolvers<void> | undefined;

  add(item: unknown): void {
    this.#open.add(item);
  }

  delete(item: unknown): void {
    this.#open.delete(item);
    if (this.#open.size === 0) this.#whenEmpty?.resolve();
  }

  /** Resolves when nothing is open, or after this long. */
  async empty(ms: number): Promise<void> {
    if (this.#open.size === 0 || ms <= 0) return;
    this.#whenEmpty = Promise.withResolvers();
    const timer = setTimeout(this.#whenEmpty.resolve, ms);
    await this.#whenEmpty.promise;
    clearTimeout(timer);
  }
}
