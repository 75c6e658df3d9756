/** Subscriptions: begun, changed and cancelled. Pausing is not offered, as in the merchant API. */
import { randomUUID } from 'node:crypto';
import type { Operation } from 'plimsoll/server';
import { cancels, reads, updates } from 'plimsoll/server';
import * as z from 'zod';
import { cancel, change, cyclePrice } from '../cycles.ts';
import type { Subscription } from '../documents.ts';
import { emit } from '../events.ts';
import { refuseAbove } from '../purchase.ts';
import { found, invalid, refuse } from '../refusals.ts';
import { customerOf } from './customers.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, charges, settled } from './facts.ts';
import { methodOf } from './payment-methods.ts';
import {
  cancelArguments,
  payFirst,
  refuseReason,
  showSubscription,
  subscribe,
  subscriptionOf,
} from './subscribe.ts';
import { expand, given, listed, page, show } from './reply.ts';
import {
  billingCycle,
  cents,
  couponCode,
  createdBetween,
  date,
  expandable,
  id,
  pageArguments,
  pageOf,
  shippingChoice,
  sortBy,
  thing,
} from './schemas.ts';

const STATUSES = ['active', 'past_due', 'canceled', 'completed', 'failed'];

export function subscriptionOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { objects, payments } = store;
  const embed = (caller: Caller, sub: Subscription, wanted: string | undefined) => ({
    ...showSubscription(sub, caller.at),
    id: sub.id,
    ...expand(wanted, {
      customer: () => objects.get(caller.account, 'customer', sub.customer_id),
      plan: () => objects.get(caller.account, 'plan', sub.plan_id),
      cycles: () =>
        Array.from({ length: sub.cycles_completed + 1 }, (_, index) =>
          payments.orderOfCycle(sub.id, index + 1),
        ).flatMap((order) => (order === undefined ? [] : show(order))),
    }),
  });
  return [
    declare(shop, {
      name: 'create_subscription',
      title: 'Create subscription',
      description:
        'Subscribes a customer to a plan and charges the first period at once. If the card is declined, the answer is a subscription with status failed.',
      input: z.object({
        customer_id: id('customer'),
        plan_id: id('plan'),
        payment_method_id: id('card'),
        billing_cycle: billingCycle,
        start_date: date.optional().describe('First day; today without it'),
        end_date: date.optional().describe('Last day; not together with billing_cycles'),
        billing_cycles: z
          .int()
          .min(0)
          .max(999)
          .optional()
          .describe('How many periods; 0 for no end'),
        ...shippingChoice,
        shipping_option_id: z.string().max(64).optional().describe('How it is sent'),
        coupon_code: couponCode.optional(),
      }),
      output: thing,
      effect: charges,
      run: async ({ customer_id, payment_method_id, ...wanted }, caller) => {
        const begun = caller.once(() => {
          customerOf(store, caller.account, customer_id);
          methodOf(store, caller.account, customer_id, payment_method_id);
          return subscribe(store, caller, customer_id, payment_method_id, wanted);
        });
        return showSubscription(await payFirst(shop, caller, begun), caller.at);
      },
    }),
    declare(shop, {
      name: 'list_subscriptions',
      title: 'List subscriptions',
      description: 'Lists subscriptions, newest first.',
      input: z.object({
        ...pageArguments,
        ...createdBetween,
        ...sortBy('created_at', 'status', 'current_period_end'),
        customer_id: z.string().max(64).optional().describe('Only of this customer'),
        plan_id: z.string().max(64).optional().describe('Only to this plan'),
        status: z
          .string()
          .max(100)
          .optional()
          .describe(`Any of ${STATUSES.join(', ')}; separated by commas`),
        ...expandable('customer', 'plan', 'cycles'),
      }),
      output: pageOf,
      effect: reads('subscription', account),
      run: ({ customer_id, plan_id, status, expand: wanted, ...query }, caller) => {
        const filters = [
          ...(customer_id === undefined ? [] : [{ field: 'customer_id', is: customer_id }]),
          ...(plan_id === undefined ? [] : [{ field: 'plan_id', is: plan_id }]),
          ...(status === undefined
            ? []
            : [{ field: 'status', oneOf: listed(status, STATUSES) ?? [] }]),
        ];
        const cut = objects.list(caller.account, 'subscription', {
          ...query,
          filters,
        });
        return page('/v1/subscriptions', cut, query, (one) => embed(caller, one, wanted));
      },
    }),
    declare(shop, {
      name: 'get_subscription',
      title: 'Get subscription',
      description: 'Returns one subscription, and until when the customer has access.',
      input: z.object({ id: id('subscription'), ...expandable('customer', 'plan', 'cycles') }),
      output: thing,
      effect: reads('subscription', account),
      run: (input, caller) =>
        embed(caller, subscriptionOf(store, caller.account, input.id), input.expand),
    }),
    declare(shop, {
      name: 'update_subscription',
      title: 'Update subscription',
      description:
        'Changes a subscription. Card and address count at once; lines, fees and the length of a period from the next period on.',
      input: z.object({
        id: id('subscription'),
        payment_method_id: z.string().max(64).optional().describe('Another card of the customer'),
        billing_cycle: billingCycle.optional(),
        ...shippingChoice,
        shipping_option_id: z.string().max(64).optional().describe('How it is sent'),
        products: z
          .array(
            z.object({
              id: z.string().max(64).optional().describe('The line that is kept'),
              product_id: id('product'),
              quantity: z.int().min(1).max(100).describe('How many'),
            }),
          )
          .max(100)
          .optional()
          .describe('All lines beside the plan; lines that are missing are removed'),
        pricing_tiers: z
          .array(
            z.object({
              name: z.string().max(60).describe('Name'),
              amount: cents().describe('Cents'),
            }),
          )
          .max(50)
          .optional()
          .describe('All fees; those that are missing are removed'),
        billing_cycles: z
          .int()
          .min(0)
          .max(100)
          .optional()
          .describe('How many periods in all; 0 for no end'),
      }),
      output: thing,
      effect: updates('subscription', settled),
      run: ({ id: subId, products, ...fields }, caller) =>
        caller.once(() => {
          const { account: owner, at } = caller;
          const sub = subscriptionOf(store, owner, subId);
          if (sub.ended_at !== null) {
            refuse('subscription_not_modifiable', `The subscription is ${sub.status}.`);
          }
          if (fields.payment_method_id !== undefined) {
            methodOf(store, owner, sub.customer_id, fields.payment_method_id);
          }
          const count = fields.billing_cycles;
          if (count === 0 && sub.billing_cycles > 0) {
            invalid('billing_cycles', 'A fixed term cannot become one without end.');
          }
          if (count !== undefined && count > 0 && count <= sub.cycles_completed) {
            invalid('billing_cycles', `At least ${sub.cycles_completed + 1} are needed.`);
          }
          const { currency } = objects.get(owner, 'plan', sub.plan_id);
          for (const [index, { product_id }] of (products ?? []).entries()) {
            const { pricing } = found(
              objects.find(owner, 'product', product_id),
              'product',
              product_id,
            );
            if (pricing.currency !== currency) {
              invalid(
                `products/${index}`,
                `It is sold in ${pricing.currency}, not in ${currency}.`,
              );
            }
          }
          const lines = products?.map((line) => ({ ...line, id: line.id ?? randomUUID() }));
          const next = {
            ...given(fields),
            ...(lines !== undefined && { products: lines }),
            // A new length counts from the day on which it begins.
            ...(fields.billing_cycle !== undefined && { period_day: undefined }),
          };
          refuseAbove(cyclePrice(store, owner, { ...sub, ...next }), 'products');
          const changed = change(store, owner, sub, at, next);
          emit(store, owner, 'subscription.updated', changed, at);
          return showSubscription(changed, at);
        }),
    }),
    declare(shop, {
      name: 'cancel_subscription',
      title: 'Cancel subscription',
      description:
        'Cancel an existing subscription. Cancelling at period end keeps access until the period closes.',
      input: z.object({ id: id('subscription'), ...cancelArguments }),
      output: thing,
      effect: cancels('subscription', settled),
      run: ({ id: subId, ...how }, caller) => {
        refuseReason(how.cancellation_reason);
        return caller.once(() => {
          subscriptionOf(store, caller.account, subId);
          return showSubscription(cancel(store, caller.account, subId, how, caller.at), caller.at);
        });
      },
    }),
  ];
}
