/** Summaries, and the composite that sets up monitoring: everything that only adds up what is there. */
import type { Operation } from 'plimsoll/server';
import { reads } from 'plimsoll/server';
import * as z from 'zod';
import type { Payments } from '../store/payments.ts';
import { customerOf } from './customers.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account } from './facts.ts';
import { page, show } from './reply.ts';
import { id, instant, pageOf } from './schemas.ts';
import { showSubscription } from './subscribe.ts';
import { addEndpoint, CREATES_ENDPOINT, endpointWithSecret, revealed } from './endpoint.ts';

const SCOPES = {
  all: ['*'],
  orders: ['order.*'],
  subscriptions: ['subscription.*'],
  customers: ['customer.*'],
} as const;

const revenue = {
  currency: z.string(),
  gross_cents: z.int(),
  refunds_cents: z.int(),
  net_cents: z.int(),
  transaction_count: z.int(),
};

type Total = ReturnType<Payments['totals']>[number];

/** Cents of different currencies are never added up: dollars first, the others beside them. */
function byCurrency<T>(totals: readonly Total[], toShown: (total: Total) => T) {
  const none = { currency: 'usd', sales: 0, refunds: 0, count: 0 };
  const dollars = totals.find(({ currency }) => currency === none.currency) ?? none;
  const others = totals.filter(({ currency }) => currency !== none.currency);
  return { first: toShown(dollars), others: others.map(toShown) };
}

export function summaryOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { objects, payments } = store;
  return [
    declare(shop, {
      name: 'get_customer_financial_summary',
      title: 'Get customer financial summary',
      description: 'Returns what a customer has paid and got back, and their subscriptions.',
      input: z.object({
        customer_id: id('customer'),
        include_transactions: z.boolean().default(true).describe('With the last transactions'),
        transaction_limit: z.int().min(1).max(100).default(20).describe('How many of them'),
      }),
      output: z.looseObject({
        currency: z.string(),
        paid_cents: z.int(),
        refunded_cents: z.int(),
        net_cents: z.int(),
      }),
      effect: reads('customer', account),
      run: ({ customer_id, include_transactions, transaction_limit }, caller) => {
        const { account: owner, at } = caller;
        const customer = customerOf(store, owner, customer_id);
        const { first, others } = byCurrency(
          payments.totals(owner, { customerId: customer_id }),
          ({ currency, sales, refunds }) => ({
            currency,
            paid_cents: sales,
            refunded_cents: refunds,
            net_cents: sales - refunds,
          }),
        );
        const query = { customer_id, limit: transaction_limit };
        const cut = payments.listTransactions(owner, query);
        return {
          customer,
          ...first,
          ...(others.length > 0 && { other_currencies: others }),
          subscriptions: objects
            .all(owner, 'subscription', [{ field: 'customer_id', is: customer_id }])
            .map((sub) => showSubscription(sub, at)),
          ...(include_transactions && {
            transactions: cut.kind === 'rows' ? cut.rows.map(show) : [],
          }),
        };
      },
    }),
    declare(shop, {
      name: 'get_revenue_summary',
      title: 'Get revenue summary',
      description: 'Returns what was charged and given back in a time, in cents.',
      input: z.object({
        from: instant.describe('From then on'),
        to: instant.describe('Until before then'),
      }),
      output: z.object({
        from: z.string(),
        to: z.string(),
        ...revenue,
        other_currencies: z.array(z.object(revenue)).optional(),
      }),
      effect: reads('revenue', account),
      run: ({ from, to }, caller) => {
        const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
        const { first, others } = byCurrency(
          payments.totals(caller.account, times),
          ({ currency, sales, refunds, count }) => ({
            currency,
            gross_cents: sales,
            refunds_cents: refunds,
            net_cents: sales - refunds,
            transaction_count: count,
          }),
        );
        return { ...times, ...first, ...(others.length > 0 && { other_currencies: others }) };
      },
    }),
    declare(shop, {
      name: 'list_past_due_subscriptions',
      title: 'List past-due subscriptions',
      description: 'Lists subscriptions whose last charge failed and is tried again.',
      input: z.object({
        limit: z.int().min(1).max(100).default(20).describe('How many at most'),
        starting_after: z.string().max(64).optional().describe('cursors.next of the page before'),
      }),
      output: pageOf,
      effect: reads('subscription', account),
      run: (query, caller) => {
        const filters = [{ field: 'status', is: 'past_due' }];
        const cut = objects.list(caller.account, 'subscription', {
          ...query,
          filters,
        });
        return page('/v1/subscriptions/past_due', cut, query, (one) => ({
          ...showSubscription(one, caller.at),
          id: one.id,
        }));
      },
    }),
    declare(shop, {
      name: 'setup_webhook_monitoring',
      title: 'Setup webhook monitoring',
      description:
        'Sends all events, or those of one kind, to an address of yours. The signing secret is shown only once, here.',
      input: z.object({
        url: z.string().max(2000).describe('An https address of yours on the internet'),
        scope: z
          .enum(['all', 'orders', 'subscriptions', 'customers'])
          .default('all')
          .describe('Which events'),
        description: z.string().max(500).optional().describe('A note of your own'),
      }),
      output: endpointWithSecret,
      effect: CREATES_ENDPOINT,
      run: ({ url, scope, description }, caller) => {
        const made = caller.once(() =>
          addEndpoint(shop, caller, { url, enabled_events: SCOPES[scope], description }),
        );
        return revealed(store, caller.account, made);
      },
    }),
  ];
}
