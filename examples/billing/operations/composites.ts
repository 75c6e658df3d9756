/**
 * Several steps in one call, under one key. Each says what is left when a step fails: rolled back (a new customer
 * whose card is declined), or kept as failed (an order).
 */
import type { Operation } from 'plimsoll/server';
import { creates, together } from 'plimsoll/server';
import * as z from 'zod';
import { redeem, refuseUsedCoupon } from '../coupons.ts';
import { pay, placeOrder, refuseBoughtInstead } from '../purchase.ts';
import { found, refuse, refuseDecline } from '../refusals.ts';
import { addCustomer, customerOf } from './customers.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, charges } from './facts.ts';
import { addCard, keepCard, methodOf } from './payment-methods.ts';
import { show } from './reply.ts';
import {
  billingCycle,
  billingDetails,
  cardToken,
  currency,
  date,
  id,
  items,
  metadata,
  person,
  shipping,
  thing,
} from './schemas.ts';
import { payFirst, showSubscription, subscribe } from './subscribe.ts';

const newCustomer = {
  ...person,
  shipping: shipping.optional(),
  card_token: cardToken,
  billing_details: billingDetails.optional(),
};
const note = z.string().max(500).optional().describe('A note of your own');

/** A customer and a card are made too; the charge is the gravest of the three. */
const chargesNewCustomer = together(
  charges,
  creates('customer', account),
  creates('payment method', account),
);

export function compositeOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { objects, payments } = store;

  const begin = async <T extends object>(
    caller: Caller,
    input: z.infer<z.ZodObject<typeof newCustomer>>,
    next: (customerId: string, methodId: string) => T,
  ) => {
    const card = await keepCard(shop, caller.key, input.card_token);
    return caller.once(() => {
      const { email, first_name, last_name, phone, company } = input;
      const fields = { email, first_name, last_name, phone, company, shipping: input.shipping };
      const customer = addCustomer(store, caller, fields);
      const method = addCard(store, caller, customer.id, card, input);
      return { customerId: customer.id, methodId: method.id, ...next(customer.id, method.id) };
    });
  };

  return [
    declare(shop, {
      name: 'create_customer_and_charge',
      title: 'Create customer and charge',
      description:
        'Creates a customer with a card and charges it for items. If the card is declined, customer and card are removed again.',
      input: z.object({ ...newCustomer, items, currency: currency.optional(), description: note }),
      output: z.looseObject({ customer: thing, order: thing }),
      effect: chargesNewCustomer,
      run: async (input, caller) => {
        const { items: lines, currency: unit, description } = input;
        const made = await begin(caller, input, (customerId, methodId) => {
          const method = methodOf(store, caller.account, customerId, methodId);
          const basket = {
            items: lines,
            currency: unit,
            description,
            for_new_customer: true,
          } as const;
          return { orderId: placeOrder(store, caller.account, method, basket, caller.at).id };
        });
        const { order, transaction } = await pay(shop, caller.account, made.orderId);
        if (order.status === 'failed') {
          refuseDecline(transaction?.failure_code ?? '', 'Customer and card were removed again.');
        }
        caller.settled(transaction);
        const customer = objects.get(caller.account, 'customer', made.customerId);
        return { customer, order: show(order) };
      },
    }),
    declare(shop, {
      name: 'create_customer_and_subscribe',
      title: 'Create customer and subscribe',
      description:
        'Creates a customer with a card and subscribes them to a plan. If the card is declined, customer and card are removed again.',
      input: z.object({
        ...newCustomer,
        plan_id: id('plan'),
        billing_cycle: billingCycle,
        start_date: date.optional().describe('First day; today without it'),
        billing_cycles: z
          .int()
          .min(0)
          .max(999)
          .optional()
          .describe('How many periods; 0 for no end'),
      }),
      output: z.looseObject({ customer: thing, subscription: thing }),
      effect: chargesNewCustomer,
      run: async (input, caller) => {
        const { plan_id, billing_cycle, start_date, billing_cycles } = input;
        const wanted = {
          plan_id,
          billing_cycle,
          start_date,
          billing_cycles,
          for_new_customer: true,
        } as const;
        const made = await begin(caller, input, (customerId, methodId) => ({
          subscriptionId: subscribe(store, caller, customerId, methodId, wanted),
        }));
        const sub = await payFirst(shop, caller, made.subscriptionId);
        if (sub.status === 'failed') {
          const order = payments.orderOfCycle(sub.id, 1);
          const last = order && payments.transactionsOf(order.id).at(-1);
          refuseDecline(last?.failure_code ?? '', 'Customer and card were removed again.');
        }
        const customer = objects.get(caller.account, 'customer', made.customerId);
        return { customer, subscription: showSubscription(sub, caller.at) };
      },
    }),
    declare(shop, {
      name: 'process_order',
      title: 'Process order',
      description:
        'Buys items for a customer and returns order and charge. If the card is declined, the order stays as failed.',
      input: z.object({
        customer_id: id('customer'),
        payment_method_id: id('card'),
        items,
        currency: currency.optional(),
        description: note,
        metadata: metadata.optional(),
      }),
      output: z.looseObject({ order: thing }),
      effect: charges,
      run: async ({ customer_id, payment_method_id, ...basket }, caller) => {
        const { account: owner, at } = caller;
        const placed = caller.once(() => {
          customerOf(store, owner, customer_id);
          const method = methodOf(store, owner, customer_id, payment_method_id);
          return placeOrder(store, owner, method, basket, at).id;
        });
        const { order, transaction } = await pay(shop, owner, placed);
        if (order.status === 'failed') {
          refuseDecline(transaction?.failure_code ?? '', `Order ${order.id} is kept as failed.`);
        }
        caller.settled(transaction);
        return { order: show(order), transaction: transaction && show(transaction) };
      },
    }),
    declare(shop, {
      name: 'retry_failed_charge',
      title: 'Retry failed charge',
      description:
        'Buys again what a failed charge was for, as a new order at the same price, with the same card or another.',
      input: z.object({
        transaction_id: id('failed charge'),
        payment_method_id: z
          .string()
          .max(64)
          .optional()
          .describe('Another card; the same without it'),
      }),
      output: z.looseObject({ new_order: thing }),
      effect: charges,
      run: async ({ transaction_id, payment_method_id }, caller) => {
        const { account: owner, at } = caller;
        const failed = found(
          payments.findTransaction(owner, transaction_id),
          'transaction',
          transaction_id,
        );
        const placed = caller.once(() => {
          if (failed.type !== 'sale' || failed.status !== 'failed') {
            refuse('invalid_state', 'It is not a failed charge.');
          }
          const before = payments.order(owner, failed.order_id);
          if (before.status !== 'failed') {
            refuse('invalid_state', `Order ${before.id} is ${before.status}.`);
          }
          refuseBoughtInstead(store, owner, before);
          if (before.subscription_id !== null) {
            refuse('invalid_state', 'It is a cycle of a subscription; use retry_order.');
          }
          const methodId = payment_method_id ?? failed.payment_method_id;
          const method = methodOf(store, owner, failed.customer_id, methodId);
          refuseUsedCoupon(store, owner, before, at);
          const { amount, discount, currency: unit, items: lines, description } = before;
          const { coupon_code, code_id } = before;
          const order = payments.open(owner, at, {
            customer_id: failed.customer_id,
            payment_method_id: method.id,
            card: method.card,
            amount,
            discount,
            currency: unit,
            items: lines,
            description,
            ...(code_id !== undefined && { coupon_code, code_id }),
            retry_of: before.retry_of ?? before.id,
          });
          redeem(store, owner, order, at);
          return order.id;
        });
        const { order, transaction } = await pay(shop, owner, placed);
        if (order.status === 'failed') {
          refuseDecline(transaction?.failure_code ?? '', `Order ${order.id} is kept as failed.`);
        }
        caller.settled(transaction);
        return {
          original_transaction_id: failed.id,
          original_order_id: failed.order_id,
          new_order: show(order),
        };
      },
    }),
  ];
}
