/** What happens without a caller: interrupted payments end, subscriptions renew, webhooks go out. */
import { recoverPending } from './charging.ts';
import { deliverDue } from './deliver.ts';
import type { Shop } from './operations/declare.ts';
import { renewDue } from './renewals.ts';

/** Everything that is due now. */
export async function workOnce(shop: Shop): Promise<void> {
  await recoverPending(shop);
  await renewDue(shop);
  await deliverDue(shop);
}

const EVERY_MS = 1000;

/** Works on until the process ends; one round at a time. */
export function openWorker(
  shop: Shop,
  report: (message: string, cause: unknown) => void,
  everyMs = EVERY_MS,
): Disposable {
  let isWorking = false;
  const timer = setInterval(() => {
    if (isWorking) return;
    isWorking = true;
    workOnce(shop)
      .catch((error: unknown) => report('the billing worker failed', error))
      .finally(() => {
        isWorking = false;
      });
  }, everyMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
