/** What happens without a caller: interrupted payments end, subscriptions renew, webhooks go out. */
import { recoverPending } from './charging.ts';
import { deliverDue } from './deliver.ts';
import type { Shop } from './operations/declare.ts';
import { renewDue } from './renewals.ts';

/** Everything that is due now. */
export async function workOnce(shop: Shop): Promise<void> {
  await collect(shop);
  await deliverDue(shop);
}

async function collect(shop: Shop): Promise<void> {
  await recoverPending(shop);
  await renewDue(shop);
}

const EVERY_MS = 1000;

/** Works on until the process ends. Money never waits for receivers of webhooks, which can be slow. */
export function openWorker(
  shop: Shop,
  report: (message: string, cause: unknown) => void,
  everyMs = EVERY_MS,
): Disposable {
  const failed = (error: unknown): void => report('the billing worker failed', error);
  const timers = [collect, deliverDue].map((round) =>
    repeatedly(() => round(shop).catch(failed), everyMs),
  );
  return { [Symbol.dispose]: () => timers.forEach((timer) => clearInterval(timer)) };
}

/** One round at a time. */
function repeatedly(round: () => Promise<void>, everyMs: number): NodeJS.Timeout {
  let isWorking = false;
  const work = async (): Promise<void> => {
    if (isWorking) return;
    isWorking = true;
    await round();
    isWorking = false;
  };
  return setInterval(() => void work(), everyMs).unref();
}
