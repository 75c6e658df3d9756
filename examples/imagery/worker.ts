/** Background work of the shop: orders are delivered, jobs start and end, lost charges are booked. */
import type { Job } from './job.ts';
import type { Order } from './order.ts';
import type { ProcessorClient } from '../payment-processor/processor-client.ts';
import type { Store } from './store.ts';
import { settlePending } from './topup.ts';

export interface Worked {
  readonly delivered: readonly Order[];
  readonly finished: readonly Job[];
}

export function workOnce(store: Store, at: Date): Worked {
  const delivered = store.orders.deliverDue(at);
  store.jobs.startDue(at);
  const finished = store.jobs.finishDue(at);
  return Object.freeze({ delivered, finished });
}

export interface WorkerOptions {
  readonly store: Store;
  readonly processor: ProcessorClient;
  readonly now: () => Date;
  readonly report: (message: string, cause: unknown) => void;
}

const WORK_MS = 1000;
const SETTLE_MS = 30_000;

/** Works periodically, and does not keep the process alive. */
export function openWorker({ store, processor, now, report }: WorkerOptions): Disposable {
  const stumble = (error: unknown) => report('the worker failed', error);
  const work = setInterval(() => {
    try {
      workOnce(store, now());
    } catch (error) {
      stumble(error);
    }
  }, WORK_MS);
  const settle = setInterval(() => {
    settlePending(store, processor, now()).catch(stumble);
  }, SETTLE_MS);
  work.unref();
  settle.unref();
  return {
    [Symbol.dispose]: () => {
      clearInterval(work);
      clearInterval(settle);
    },
  };
}
