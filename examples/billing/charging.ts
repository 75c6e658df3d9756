/**
 * Brings pending transactions to their end: asks the processor under the transaction's own id, which it does
 * once, and settles the books. What stays in doubt stays pending and is found by whoever comes next.
 */
import type { ChargeOutcome, ProcessorClient } from '../payment-processor/processor-client.ts';
import { applyCycle } from './cycles.ts';
import { giveBack, redeem } from './coupons.ts';
import { emit } from './events.ts';
import type { Order, Transaction } from './store/payment-rows.ts';
import type { Store } from './store.ts';

export interface Till {
  readonly store: Store;
  readonly processor: ProcessorClient;
  readonly now: () => Date;
}

export type Paid =
  | { readonly kind: 'settled'; readonly transaction: Transaction }
  /** Nothing reached the processor. */
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'in-doubt'; readonly because: string };

const MOST_ATTEMPTS = 2;

export async function complete(till: Till, account: string, pending: Transaction): Promise<Paid> {
  const { id, type, card, amount, currency, order_id } = pending;
  const { store, processor } = till;
  const ask = (): Promise<ChargeOutcome> =>
    type === 'sale'
      ? processor.charge({ key: id, card, amountCents: amount, currency })
      : processor.refund({
          key: id,
          chargeId: store.payments.saleOf(order_id)?.processor_id ?? '',
          amountCents: amount,
        });
  let last: ChargeOutcome = await ask();
  let wasInDoubt = last.kind === 'in-doubt';
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt += 1) {
    if (last.kind === 'charged' || last.kind === 'refused') break;
    last = await ask();
    wasInDoubt ||= last.kind === 'in-doubt';
  }
  switch (last.kind) {
    case 'charged':
      return settle(till, account, pending, { processorId: last.chargeId });
    case 'refused':
      return settle(till, account, pending, { failure: last.reason });
    case 'not-sent':
      if (!wasInDoubt) return { kind: 'not-sent' };
      break;
    case 'in-doubt':
      break;
  }
  const found = type === 'sale' ? await processor.lookUp(id) : undefined;
  if (found?.chargeId != null) {
    return settle(till, account, pending, { processorId: found.chargeId });
  }
  const because = last.kind === 'in-doubt' ? last.because : 'an earlier attempt got no answer';
  return { kind: 'in-doubt', because };
}

type End = { readonly processorId: string } | { readonly failure: string };

/** The books and what follows from them, in one transaction; a second time nothing happens. */
function settle(
  { store, now }: Pick<Till, 'store' | 'now'>,
  account: string,
  pending: Transaction,
  end: End,
): Paid & { readonly kind: 'settled' } {
  return store.atomically(() => {
    const at = now();
    const before = store.payments.transactionById(pending.id);
    const transaction = store.payments.settle(pending.id, at, end);
    if (before.status === 'pending') follow(store, account, transaction, at);
    return { kind: 'settled', transaction };
  });
}

function follow(store: Store, account: string, settled: Transaction, at: Date): void {
  const order = store.payments.order(account, settled.order_id);
  const isPaid = settled.status === 'succeeded';
  if (settled.type === 'refund') {
    if (isPaid) emit(store, account, 'order.refunded', told(order, settled), at);
    return;
  }
  if (isPaid) redeem(store, account, order, at);
  else giveBack(store, account, order, at);
  if (!isPaid && order.for_new_customer === true) removeNewCustomer(store, account, order, at);
  if (order.subscription_id !== null) applyCycle(store, account, order, isPaid, at);
  const wasTried = store.payments
    .transactionsOf(order.id)
    .some(({ type, status }) => type === 'sale' && status === 'failed');
  const type = isPaid ? (wasTried ? 'order.recovery' : 'order.succeeded') : 'order.failed';
  emit(store, account, type, told(order, settled), at);
}

/** What a receiver of events may know; the card at the processor is not for them. */
function told(bought: Order, settled: Transaction): object {
  const { code_id: _, ...order } = bought;
  const { card: _c, ...transaction } = settled;
  return { order, transaction };
}

/** A customer whose first charge failed never was one; the failed order stays in the books. */
function removeNewCustomer(store: Store, account: string, order: Order, at: Date): void {
  const { customer_id, payment_method_id } = order;
  if (store.payments.hasOrders(account, customer_id)) return;
  const customer = store.objects.find(account, 'customer', customer_id);
  if (customer === undefined) return;
  store.objects.remove(account, 'payment_method', payment_method_id, at);
  store.objects.remove(account, 'customer', customer_id, at);
  emit(store, account, 'customer.deleted', customer, at);
}

/** Long enough for a call that is still running to end by itself. */
const SETTLE_AFTER_MS = 30_000;

/**
 * Ends what was begun and never finished. A charge that happened is booked. One that did not is given up at the
 * processor first, so that it never will happen, and then counts as failed. A refund that was promised is
 * completed.
 */
export async function recoverPending(till: Till): Promise<number> {
  const { store, processor, now } = till;
  const until = new Date(now().getTime() - SETTLE_AFTER_MS);
  let ended = 0;
  for (const pending of store.payments.pendingBefore(until)) {
    const { account } = pending;
    if (pending.type === 'refund') {
      if ((await complete(till, account, pending)).kind === 'settled') ended += 1;
      continue;
    }
    const found = await processor.giveUp(pending.id);
    if (found === undefined) continue;
    const end =
      found.chargeId === null ? { failure: 'interrupted' } : { processorId: found.chargeId };
    settle(till, account, pending, end);
    ended += 1;
  }
  return ended;
}
