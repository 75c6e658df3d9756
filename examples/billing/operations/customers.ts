/** Customers, who are never lost: a deleted one is kept and hidden. */
import type { Operation } from 'plimsoll/server';
import { creates, deletes, reads, updates } from 'plimsoll/server';
import * as z from 'zod';
import type { Customer } from '../documents.ts';
import { emit } from '../events.ts';
import { found, refuse } from '../refusals.ts';
import type { Store } from '../store.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, keyed, settled } from './facts.ts';
import { expand, given, page, show } from './reply.ts';
import {
  createdBetween,
  email as emailText,
  expandable,
  id,
  metadata,
  pageArguments,
  pageOf,
  person,
  shipping,
  sortBy,
  thing,
} from './schemas.ts';

const RUNNING = ['active', 'past_due'];

export interface Person {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone: string;
  readonly company?: string | undefined;
  readonly shipping?: unknown;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Joins the transaction that it is called in. */
export function addCustomer(store: Store, caller: Caller, fields: Person): Customer {
  refuseTaken(store, caller.account, fields);
  const customer = store.objects.add(caller.account, 'customer', caller.at, {
    ...fields,
    metadata: fields.metadata ?? {},
    tags: [],
    default_payment_method: null,
  });
  emit(store, caller.account, 'customer.created', customer, caller.at);
  return customer;
}

function refuseTaken(store: Store, owner: string, fields: Partial<Person>, except?: string): void {
  const all = store.objects.all(owner, 'customer').filter(({ id: own }) => own !== except);
  const email = fields.email?.toLowerCase();
  if (email !== undefined && all.some((one) => one.email.toLowerCase() === email)) {
    refuse('email_already_exists', 'Another customer has this email address.');
  }
  if (fields.phone !== undefined && all.some(({ phone }) => phone === fields.phone)) {
    refuse('phone_already_exists', 'Another customer has this phone number.');
  }
}

export function customerOf(store: Store, owner: string, customerId: string): Customer {
  return found(store.objects.find(owner, 'customer', customerId), 'customer', customerId);
}

export function customerOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { objects } = store;
  const embed = (owner: string, customer: Customer, wanted: string | undefined) => {
    const of = [{ field: 'customer_id', is: customer.id }];
    return {
      ...customer,
      ...expand(wanted, {
        payment_methods: () => objects.all(owner, 'payment_method', of).map(show),
        subscriptions: () => objects.all(owner, 'subscription', of),
      }),
    };
  };
  return [
    declare(shop, {
      name: 'create_customer',
      title: 'Create customer',
      description: 'Creates a customer. Email address and phone number must be new.',
      input: z.object({ ...person, shipping: shipping.optional(), metadata: metadata.optional() }),
      output: thing,
      effect: creates('customer', keyed),
      run: (input, caller) => caller.once(() => addCustomer(store, caller, input)),
    }),
    declare(shop, {
      name: 'list_customers',
      title: 'List customers',
      description: 'Lists customers, newest first.',
      input: z.object({
        ...pageArguments,
        ...createdBetween,
        email: emailText.optional().describe('Only the customer with this email address'),
        q: z.string().max(100).optional().describe('Words in name, email address or company'),
        tags: z
          .array(z.string())
          .max(20)
          .optional()
          .describe('Only customers with all of these tags'),
        deleted: z.boolean().optional().describe('Deleted ones too'),
        ...sortBy('created_at', 'email', 'last_name'),
        ...expandable('payment_methods', 'subscriptions'),
      }),
      output: pageOf,
      effect: reads('customer', account),
      run: ({ email, q, tags = [], expand: wanted, ...query }, caller) => {
        const cut = objects.list(caller.account, 'customer', {
          ...query,
          filters: [
            ...(email === undefined ? [] : [{ field: 'email', is: email }]),
            ...tags.map((tag) => ({ field: 'tags', contains: tag })),
          ],
          search:
            q === undefined
              ? undefined
              : { fields: ['first_name', 'last_name', 'email', 'company'], text: q },
        });
        return page('/v1/customers', cut, query, (one) => embed(caller.account, one, wanted));
      },
    }),
    declare(shop, {
      name: 'get_customer',
      title: 'Get customer',
      description: 'Returns one customer.',
      input: z.object({ id: id('customer'), ...expandable('payment_methods', 'subscriptions') }),
      output: thing,
      effect: reads('customer', account),
      run: (input, caller) =>
        embed(caller.account, customerOf(store, caller.account, input.id), input.expand),
    }),
    declare(shop, {
      name: 'update_customer',
      title: 'Update customer',
      description: 'Changes the fields of a customer that are sent, and keeps the others.',
      input: z.object({
        id: id('customer'),
        email: person.email.optional(),
        first_name: person.first_name.optional(),
        last_name: person.last_name.optional(),
        phone: person.phone.optional(),
        company: person.company,
        shipping: shipping.optional(),
        metadata: metadata.optional(),
      }),
      output: thing,
      effect: updates('customer', settled),
      run: ({ id: customerId, ...fields }, caller) =>
        caller.once(() => {
          customerOf(store, caller.account, customerId);
          refuseTaken(store, caller.account, given(fields), customerId);
          const changed = objects.update(
            caller.account,
            'customer',
            customerId,
            caller.at,
            given(fields),
          );
          emit(store, caller.account, 'customer.updated', changed, caller.at);
          return changed;
        }),
    }),
    declare(shop, {
      name: 'delete_customer',
      title: 'Delete customer',
      description:
        'Deletes a customer and their cards. Refused while a subscription runs. Orders and transactions stay.',
      input: z.object({ id: id('customer') }),
      output: thing,
      effect: deletes('customer', settled),
      run: (input, caller) =>
        caller.once(() => {
          const { account: owner, at } = caller;
          const customer = found(
            objects.find(owner, 'customer', input.id, true),
            'customer',
            input.id,
          );
          if (customer.deleted_at !== null) return customer;
          const of = [{ field: 'customer_id', is: customer.id }];
          const running = objects
            .all(owner, 'subscription', of)
            .filter(({ status }) => RUNNING.includes(status));
          if (running.length > 0) {
            refuse('customer_has_active_subscriptions', 'Cancel the subscriptions first.');
          }
          for (const card of objects.all(owner, 'payment_method', of)) {
            objects.remove(owner, 'payment_method', card.id, at);
          }
          objects.remove(owner, 'customer', customer.id, at);
          emit(store, owner, 'customer.deleted', customer, at);
          return objects.get(owner, 'customer', customer.id);
        }),
    }),
  ];
}
