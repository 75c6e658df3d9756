/** Orders and their transactions: bought, refunded, tried again. Nothing here changes or deletes an order. */
import type { Operation } from 'plimsoll/server';
import { reads, refunds, varies, whenState } from 'plimsoll/server';
import * as z from 'zod';
import { redeem, refuseUsedCoupon } from '../coupons.ts';
import { refuseEnded } from '../cycles.ts';
import { giveBackNow, pay, placeOrder, refundAmount, refuseBoughtInstead } from '../purchase.ts';
import { found, refuse, refuseDecline, refuseRefund } from '../refusals.ts';
import type { Order, Transaction } from '../store/payment-rows.ts';
import type { Store } from '../store.ts';
import { customerOf } from './customers.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, charges, mustKey, UNIT } from './facts.ts';
import { methodOf } from './payment-methods.ts';
import { refundOrder } from './refund-order.ts';
import { expand, listed, page, show } from './reply.ts';
import {
  cents,
  couponCode,
  createdBetween,
  currency,
  expandable,
  id,
  items,
  metadata,
  pageArguments,
  pageOf,
  shippingChoice,
  sortBy,
  thing,
} from './schemas.ts';

const STATUSES = ['pending', 'succeeded', 'failed', 'partially_refunded', 'refunded', 'voided'];

function orderOf(store: Store, owner: string, orderId: string): Order {
  return found(store.payments.findOrder(owner, orderId), 'order', orderId);
}

/** What failed last on an order: that is what a retry does again. */
function lastFailure(store: Store, orderId: string): Transaction | undefined {
  const last = store.payments.transactionsOf(orderId).at(-1);
  return last?.status === 'failed' ? last : undefined;
}

export function orderOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { payments, objects } = store;
  const embed = (owner: string, order: Order, wanted: string | undefined) => ({
    ...show(order),
    ...expand(wanted, {
      customer: () => objects.get(owner, 'customer', order.customer_id),
      items: () => order.items,
      transactions: () => payments.transactionsOf(order.id).map(show),
    }),
  });
  return [
    declare(shop, {
      name: 'create_order',
      title: 'Create order',
      description:
        'Buys items for a customer and charges their card at once. If the card is declined the order stays, as failed.',
      input: z.object({
        customer_id: id('customer'),
        payment_method_id: id('card'),
        items,
        currency: currency.optional(),
        description: z.string().max(500).optional().describe('A note of your own'),
        ...shippingChoice,
        coupon_code: couponCode.optional(),
        metadata: metadata.optional(),
      }),
      output: thing,
      effect: charges,
      run: async (input, caller) => {
        const { account: owner, at } = caller;
        const { customer_id, payment_method_id, ...basket } = input;
        const placed = caller.once(() => {
          customerOf(store, owner, customer_id);
          const method = methodOf(store, owner, customer_id, payment_method_id);
          return placeOrder(store, owner, method, basket, at).id;
        });
        const { order, transaction } = await pay(shop, owner, placed);
        if (transaction?.status === 'failed' && order.status === 'failed') {
          refuseDecline(transaction.failure_code ?? '', `Order ${order.id} is kept as failed.`);
        }
        caller.settled(transaction);
        return show(order);
      },
    }),
    declare(shop, {
      name: 'list_orders',
      title: 'List orders',
      description: 'Lists orders, newest first.',
      input: z.object({
        ...pageArguments,
        ...createdBetween,
        ...sortBy('created_at', 'amount', 'status'),
        customer_id: z.string().max(64).optional().describe('Only orders of this customer'),
        status: z
          .string()
          .max(100)
          .optional()
          .describe(`Any of ${STATUSES.join(', ')}; separated by commas`),
        ...expandable('customer', 'items', 'transactions'),
      }),
      output: pageOf,
      effect: reads('order', account),
      run: ({ status, expand: wanted, ...query }, caller) => {
        const wantedStatus = listed(status, STATUSES);
        const cut = payments.listOrders(caller.account, { ...query, status: wantedStatus });
        return page('/v1/orders', cut, query, (one) => embed(caller.account, one, wanted));
      },
    }),
    declare(shop, {
      name: 'get_order',
      title: 'Get order',
      description: 'Returns one order.',
      input: z.object({ id: id('order'), ...expandable('customer', 'items', 'transactions') }),
      output: thing,
      effect: reads('order', account),
      run: (input, caller) =>
        embed(caller.account, orderOf(store, caller.account, input.id), input.expand),
    }),
    declare(shop, {
      name: 'refund_order',
      title: 'Refund order',
      description:
        'Gives back what was paid for an order, or a part of it. Refunds together never exceed what was paid.',
      input: z.object({
        order_id: id('order'),
        amount: cents().optional().describe('In cents; everything that is left without it'),
      }),
      output: z.looseObject({ order: thing, transaction: thing }),
      effect: refunds(UNIT, mustKey),
      run: ({ order_id, amount }, caller) =>
        refundOrder(shop, caller, amount, () => orderOf(store, caller.account, order_id)),
    }),
    declare(shop, {
      name: 'retry_order',
      title: 'Retry order payment',
      description:
        'Tries again what failed last on an order: its charge, on the card on file, or a refund. A cycle of a subscription that is paid this way counts as paid.',
      input: z.object({ order_id: id('order') }),
      output: z.looseObject({ order: thing, transaction: thing }),
      effect: varies(charges, { when: whenState('refund-failed'), effect: refunds(UNIT, mustKey) }),
      states: ({ order_id }, owner) => {
        const order = payments.findOrder(owner, order_id);
        const isRefund = order !== undefined && lastFailure(store, order.id)?.type === 'refund';
        return isRefund ? ['refund-failed'] : [];
      },
      run: async ({ order_id }, caller) => {
        const { account: owner, at } = caller;
        const begun = caller.once(() => {
          const order = orderOf(store, owner, order_id);
          const failed = lastFailure(store, order.id);
          if (failed === undefined) {
            return refuse('invalid_state', `Nothing failed last on order ${order.id}.`);
          }
          if (failed.type === 'refund') {
            const left = refundAmount(store, order, undefined);
            return payments.beginRefund(owner, order.id, Math.min(failed.amount, left), at).id;
          }
          const sub =
            order.subscription_id === null
              ? undefined
              : objects.get(owner, 'subscription', order.subscription_id);
          if (sub !== undefined) refuseEnded(sub, at);
          refuseBoughtInstead(store, owner, order);
          refuseUsedCoupon(store, owner, order, at);
          const methodId = sub?.payment_method_id ?? order.payment_method_id;
          const method = methodOf(store, owner, order.customer_id, methodId);
          payments.chargeAgain(owner, order.id, method.card, method.id, at);
          redeem(store, owner, order, at);
          return payments.pendingOf(order.id)[0]?.id ?? '';
        });
        const { order, transaction } = await giveBackNow(shop, owner, begun);
        if (transaction.status === 'failed') {
          if (transaction.type === 'refund') refuseRefund(transaction.failure_code ?? '');
          refuseDecline(transaction.failure_code ?? '', `Order ${order.id} is ${order.status}.`);
        }
        caller.settled(transaction);
        return { order: show(order), transaction: show(transaction) };
      },
    }),
    declare(shop, {
      name: 'list_transactions',
      title: 'List transactions',
      description: 'Lists charges and refunds, newest first.',
      input: z.object({
        ...pageArguments,
        ...createdBetween,
        ...sortBy('created_at', 'amount', 'status'),
        customer_id: z.string().max(64).optional().describe('Only of this customer'),
        order_id: z.string().max(64).optional().describe('Only of this order'),
        status: z
          .string()
          .max(100)
          .optional()
          .describe('Any of succeeded, failed, pending; separated by commas'),
        type: z.string().max(100).optional().describe('Any of sale, refund; separated by commas'),
        amount_gte: cents(0).optional().describe('At least this many cents'),
        amount_lte: cents(0).optional().describe('At most this many cents'),
        ...expandable('customer', 'order'),
      }),
      output: pageOf,
      effect: reads('transaction', account),
      run: ({ status, type, expand: wanted, ...query }, caller) => {
        const cut = payments.listTransactions(caller.account, {
          ...query,
          status: listed(status, STATUSES),
          type: listed(type, ['sale', 'refund']),
        });
        return page('/v1/transactions', cut, query, (one) =>
          withRelations(caller.account, one, wanted),
        );
      },
    }),
    declare(shop, {
      name: 'get_transaction',
      title: 'Get transaction',
      description: 'Returns one charge or refund.',
      input: z.object({ id: id('transaction'), ...expandable('customer', 'order') }),
      output: thing,
      effect: reads('transaction', account),
      run: (input, caller) => {
        const one = payments.findTransaction(caller.account, input.id);
        return withRelations(caller.account, found(one, 'transaction', input.id), input.expand);
      },
    }),
  ];

  function withRelations(owner: string, one: Transaction, wanted: string | undefined) {
    return {
      ...show(one),
      ...expand(wanted, {
        customer: () => objects.get(owner, 'customer', one.customer_id),
        order: () => show(payments.order(owner, one.order_id)),
      }),
    };
  }
}
