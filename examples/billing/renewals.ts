/**
 * What the passing of time does to subscriptions: renewals, ends of periods, and another try for cycles
 * whose charge failed. Each step is durable before the processor is asked, so that a crash repeats nothing.
 */
import type { Till } from './charging.ts';
import { complete } from './charging.ts';
import { closePeriod } from './cycles.ts';

/** More cycles than this at once mean that the clock jumped; the rest follows next time. */
const MOST_AT_ONCE = 24;

export async function renewDue(till: Till): Promise<void> {
  for (const { id } of till.store.accounts()) {
    const running = till.store.objects.all(id, 'subscription', [
      { field: 'status', oneOf: ['active', 'past_due'] },
    ]);
    for (const sub of running) await renew(till, id, sub.id);
  }
}

async function renew(till: Till, account: string, id: string): Promise<void> {
  for (let turn = 0; turn < MOST_AT_ONCE; turn += 1) {
    if (!step(till, account, id)) return;
    if (!(await completeCycle(till, account, id))) return;
  }
}

/** Whether there is a charge to bring to its end now. */
function step({ store, now }: Till, account: string, id: string): boolean {
  return store.atomically(() => {
    const at = now();
    const sub = store.objects.get(account, 'subscription', id);
    const isOver = sub.current_period_end <= at.toISOString();
    if (sub.status === 'active' && isOver) {
      // An order of this cycle that is still being paid must end first.
      const open = store.payments.orderOfCycle(id, sub.cycles_completed + 1);
      if (open?.status === 'pending') return true;
      return closePeriod(store, account, sub, at) === 'renewed';
    }
    if (sub.status !== 'past_due') return false;
    if (sub.cancel_at_period_end && isOver) {
      closePeriod(store, account, sub, at);
      return false;
    }
    const isDue = sub.next_retry_at !== null && sub.next_retry_at <= at.toISOString();
    const order = store.payments.orderOfCycle(id, sub.cycles_completed + 1);
    if (!isDue || order?.status !== 'failed') return order?.status === 'pending';
    const method = store.objects.get(account, 'payment_method', sub.payment_method_id);
    store.payments.chargeAgain(account, order.id, method.card, method.id, at);
    return true;
  });
}

/** Whether the cycle is paid, so that the next one can follow. */
async function completeCycle(till: Till, account: string, id: string): Promise<boolean> {
  const { store } = till;
  const sub = store.objects.get(account, 'subscription', id);
  const order = store.payments.orderOfCycle(id, sub.cycles_completed + 1);
  if (order === undefined) return true;
  const [pending] = store.payments.pendingOf(order.id);
  if (pending === undefined) return order.status === 'succeeded';
  const paid = await complete(till, account, pending);
  return paid.kind === 'settled' && paid.transaction.status === 'succeeded';
}
