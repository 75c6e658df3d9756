/**
 * Ends that give money back or report on it. A refund that fails after the cancellation leaves it cancelled and says
 * so: half done, and never silently.
 */
import type { Operation } from 'plimsoll/server';
import { cancels, reads, refunds, together } from 'plimsoll/server';
import * as z from 'zod';
import { complete } from '../charging.ts';
import { cancel, cycleOf } from '../cycles.ts';
import type { Subscription } from '../documents.ts';
import { fullPeriodMs, prorate } from '../period.ts';
import { found, invalid } from '../refusals.ts';
import type { Order } from '../store/payment-rows.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, mustKey, settled, UNIT } from './facts.ts';
import { refundOrder } from './refund-order.ts';
import { cents, id, thing } from './schemas.ts';
import { cancelArguments, refuseReason, showSubscription, subscriptionOf } from './subscribe.ts';

export function closingOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { payments } = store;
  return [
    declare(shop, {
      name: 'cancel_subscription_and_report',
      title: 'Cancel subscription and report',
      description:
        'Cancels a subscription and returns how many periods it had and what was paid for them.',
      input: z.object({ subscription_id: id('subscription'), ...cancelArguments }),
      output: z.looseObject({ cycles_completed: z.int(), total_billed_cents: z.int() }),
      effect: together(cancels('subscription', settled), reads('subscription', account)),
      run: ({ subscription_id, ...how }, caller) => {
        refuseReason(how.cancellation_reason);
        const { account: owner, at } = caller;
        return caller.once(() => {
          subscriptionOf(store, owner, subscription_id);
          const sub = cancel(store, owner, subscription_id, how, at);
          const orders = ordersOf(sub);
          return {
            subscription: showSubscription(sub, at),
            cycles_completed: sub.cycles_completed,
            total_billed_cents: sum(orders.filter(isPaid).map(({ amount }) => amount)),
            total_refunded_cents: sum(orders.map(({ refunded }) => refunded)),
          };
        });
      },
    }),
    declare(shop, {
      name: 'refund_transaction',
      title: 'Refund transaction',
      description: 'Gives back a charge, or a part of it.',
      input: z.object({
        transaction_id: id('charge'),
        amount: cents().optional().describe('In cents; everything that is left without it'),
      }),
      output: z.looseObject({ order: thing, transaction: thing }),
      effect: refunds(UNIT, mustKey),
      run: ({ transaction_id, amount }, caller) =>
        refundOrder(shop, caller, amount, () => {
          const sale = found(
            payments.findTransaction(caller.account, transaction_id),
            'transaction',
            transaction_id,
          );
          if (sale.type !== 'sale') invalid('transaction_id', 'It is not a charge.');
          return payments.order(caller.account, sale.order_id);
        }),
    }),
    declare(shop, {
      name: 'refund_and_cancel',
      title: 'Refund and cancel',
      description:
        'Cancels a subscription at once, then gives back its last payment or the unused part of it. If the refund fails, the subscription stays cancelled and the answer says so; retry_order tries the refund again.',
      input: z.object({
        subscription_id: id('subscription'),
        refund: z
          .enum(['full', 'unused'])
          .default('full')
          .describe('The whole last payment, or its part for the time that is left'),
      }),
      output: z.looseObject({ success: z.boolean(), status: z.string() }),
      effect: together(
        cancels('subscription', { ...account, repeat: ['same', 'key-required'] }),
        refunds(UNIT, mustKey),
      ),
      run: async ({ subscription_id, refund }, caller) => {
        const { account: owner, at } = caller;
        const begun = caller.once(() => {
          const before = subscriptionOf(store, owner, subscription_id);
          const paid = ordersOf(before).filter(isPaid).at(-1);
          const left = paid === undefined ? 0 : payments.refundable(paid.id);
          const wanted =
            paid === undefined || refund === 'full' ? left : unusedPart(before, paid, at);
          cancel(store, owner, subscription_id, { at_period_end: false }, at);
          const amount = Math.min(wanted, left);
          if (paid === undefined || amount === 0)
            return { refundId: null, orderId: paid?.id ?? null };
          return {
            refundId: payments.beginRefund(owner, paid.id, amount, at).id,
            orderId: paid.id,
          };
        });
        const done = {
          subscription: showSubscription(subscriptionOf(store, owner, subscription_id), at),
        };
        if (begun.refundId === null) {
          return { success: true, status: 'canceled_nothing_to_refund', ...done };
        }
        const refundRow = payments.transactionById(begun.refundId);
        if (refundRow.status === 'pending') await complete(shop, owner, refundRow);
        const ended = payments.transactionById(begun.refundId);
        const { status, amount } = ended;
        caller.settled(ended);
        if (status === 'succeeded') {
          return {
            success: true,
            status: 'canceled_and_refunded',
            refunded_cents: amount,
            ...done,
          };
        }
        return {
          success: false,
          status: 'canceled_refund_pending',
          order_id_pending_refund: begun.orderId,
          refund_status: status,
          ...done,
        };
      },
    }),
  ];

  function ordersOf({ id: subId, cycles_completed }: Subscription): readonly Order[] {
    return Array.from({ length: cycles_completed + 1 }, (_, index) =>
      payments.orderOfCycle(subId, index + 1),
    ).flatMap((order) => order ?? []);
  }
}

function isPaid({ status }: Order): boolean {
  return ['succeeded', 'partially_refunded', 'refunded'].includes(status);
}

/** Of what was paid for the current period, the part for the time that is left of it and was not given back yet. */
function unusedPart(sub: Subscription, paid: Order, at: Date): number {
  // A period that is not paid yet is one cycle further than the last payment.
  if (sub.status === 'past_due' || sub.status === 'failed') return 0;
  const until = sub.ended_at === null ? at : new Date(sub.ended_at);
  const [start, end] = [new Date(sub.current_period_start), new Date(sub.current_period_end)];
  const whole = Math.min(fullPeriodMs(end, cycleOf(sub)), end.getTime() - start.getTime());
  const unused = prorate(paid.amount, end.getTime() - until.getTime(), whole);
  return Math.max(0, unused - paid.refunded);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
