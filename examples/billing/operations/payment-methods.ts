/** Cards on file. The processor holds them; this store knows only which one is whose. */
import type { Operation } from 'plimsoll/server';
import { creates, deletes, NotSentError, reads } from 'plimsoll/server';
import * as z from 'zod';
import type { KeptCard } from '../../payment-processor/vault.ts';
import { change } from '../cycles.ts';
import type { PaymentMethod } from '../documents.ts';
import { found, invalid, refuse } from '../refusals.ts';
import type { Store } from '../store.ts';
import { customerOf } from './customers.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, keyed, settled } from './facts.ts';
import { show } from './reply.ts';
import { billingDetails, cardToken, id, thing } from './schemas.ts';

/** Turns a browser's token into a card, once for the key. */
export async function keepCard({ processor }: Shop, key: string, token: string): Promise<KeptCard> {
  const kept = await processor.keepCard(key, token);
  if (kept === undefined) throw new NotSentError('the payment processor cannot be reached');
  if (kept.kind === 'refused') {
    return invalid('card_token', 'The token is unknown, used or expired.', 'invalid_vault_id');
  }
  return kept;
}

/** Joins the transaction that it is called in. The first card is the default. */
export function addCard(
  store: Store,
  { account: owner, at }: Caller,
  customerId: string,
  { id: card, brand, last4 }: KeptCard,
  details: { readonly billing_details?: unknown; readonly set_as_default?: boolean | undefined },
): PaymentMethod {
  const customer = store.objects.get(owner, 'customer', customerId);
  const method = store.objects.add(owner, 'payment_method', at, {
    customer_id: customerId,
    card,
    brand,
    last4,
    billing_details: details.billing_details,
  });
  if (details.set_as_default === true || customer.default_payment_method === null) {
    store.objects.update(owner, 'customer', customerId, at, {
      default_payment_method: method.id,
    });
  }
  return method;
}

export function methodOf(
  store: Store,
  owner: string,
  customerId: string,
  methodId: string,
): PaymentMethod {
  const method = store.objects.find(owner, 'payment_method', methodId);
  const isTheirs = method?.customer_id === customerId;
  return found(isTheirs ? method : undefined, 'payment method of this customer', methodId);
}

export function paymentMethodOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { objects } = store;
  const runningOf = (owner: string, customerId: string) =>
    objects
      .all(owner, 'subscription', [{ field: 'customer_id', is: customerId }])
      .filter(({ ended_at }) => ended_at === null);
  return [
    declare(shop, {
      name: 'list_payment_methods',
      title: 'List payment methods',
      description: 'Lists the cards of a customer, without their numbers.',
      input: z.object({ customer_id: id('customer') }),
      output: z.object({ object: z.literal('list'), data: z.array(thing) }),
      effect: reads('payment method', account),
      run: ({ customer_id }, caller) => {
        customerOf(store, caller.account, customer_id);
        const of = [{ field: 'customer_id', is: customer_id }];
        const all = objects.all(caller.account, 'payment_method', of);
        return { object: 'list' as const, data: all.map(show) };
      },
    }),
    declare(shop, {
      name: 'add_payment_method',
      title: 'Add payment method',
      description: 'Adds a card to a customer, from the token of a card form. Nothing is charged.',
      input: z.object({
        customer_id: id('customer'),
        card_token: cardToken,
        billing_details: billingDetails.optional(),
        set_as_default: z.boolean().optional().describe('Makes it the default card'),
        update_subscriptions: z
          .boolean()
          .optional()
          .describe('With set_as_default: running subscriptions are charged to it from now on'),
      }),
      output: thing,
      effect: creates('payment method', keyed),
      run: async (input, caller) => {
        const { account: owner, at, key } = caller;
        customerOf(store, owner, input.customer_id);
        const card = await keepCard(shop, key, input.card_token);
        return caller.once(() => {
          const method = addCard(store, caller, input.customer_id, card, input);
          if (input.set_as_default === true && input.update_subscriptions === true) {
            for (const sub of runningOf(owner, input.customer_id)) {
              change(store, owner, sub, at, { payment_method_id: method.id });
            }
          }
          return show(method);
        });
      },
    }),
    declare(shop, {
      name: 'delete_payment_method',
      title: 'Delete payment method',
      description:
        'Removes a card. If it is the default or a subscription is charged to it, name a replacement.',
      input: z.object({
        customer_id: id('customer'),
        payment_method_id: id('card'),
        replacement_payment_method: z
          .string()
          .max(64)
          .optional()
          .describe('The card that takes its place'),
      }),
      output: thing,
      effect: deletes('payment method', settled),
      run: (input, caller) =>
        caller.once(() => {
          const { account: owner, at } = caller;
          const { customer_id, payment_method_id, replacement_payment_method: other } = input;
          const customer = customerOf(store, owner, customer_id);
          const gone = objects.find(owner, 'payment_method', payment_method_id, true);
          if (gone?.deleted_at != null && gone.customer_id === customer_id) return show(gone);
          const method = methodOf(store, owner, customer_id, payment_method_id);
          const charged = runningOf(owner, customer_id).filter(
            (sub) => sub.payment_method_id === method.id,
          );
          const isDefault = customer.default_payment_method === method.id;
          if (charged.length > 0 && other === undefined) {
            refuse('invalid_state', 'A subscription is charged to this card; name a replacement.');
          }
          const next = other === undefined ? null : methodOf(store, owner, customer_id, other).id;
          if (next === method.id) invalid('replacement_payment_method', 'Name another card.');
          for (const sub of charged) {
            change(store, owner, sub, at, { payment_method_id: next ?? sub.payment_method_id });
          }
          if (isDefault) {
            objects.update(owner, 'customer', customer_id, at, {
              default_payment_method: next,
            });
          }
          objects.remove(owner, 'payment_method', method.id, at);
          return show(objects.get(owner, 'payment_method', method.id));
        }),
    }),
  ];
}
