/** Gives back what was paid for an order, or a part of it, once for the key of the call. */
import { giveBackNow, refundAmount } from '../purchase.ts';
import { refuseRefund } from '../refusals.ts';
import type { Order } from '../store/payment-rows.ts';
import type { Caller, Shop } from './declare.ts';
import { show } from './reply.ts';

/** `orderOf` is asked in the transaction that begins the refund. */
export async function refundOrder(
  shop: Shop,
  caller: Caller,
  amount: number | undefined,
  orderOf: () => Order,
): Promise<{ readonly order: object; readonly transaction: object }> {
  const { account, at } = caller;
  const { payments } = shop.store;
  const begun = caller.once(() => {
    const order = orderOf();
    return payments.beginRefund(account, order.id, refundAmount(shop.store, order, amount), at).id;
  });
  const { order, transaction } = await giveBackNow(shop, account, begun);
  if (transaction.status === 'failed') refuseRefund(transaction.failure_code ?? '');
  caller.settled(transaction);
  return { order: show(order), transaction: show(transaction) };
}
