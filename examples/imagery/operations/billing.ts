/** Credits: the balance, the transactions, and buying more. */
import type { Operation } from 'plimsoll/server';
import { reads, spends } from 'plimsoll/server';
import * as z from 'zod';
import { toAud } from '../pricing.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, paid, platform } from './facts.ts';
import { pay } from './pay.ts';
import { found } from './refuse.ts';
import { limitOf, offset } from './schemas.ts';

const read = ['billing:read'];

export const LEAST_TOPUP = 100;
export const MOST_TOPUP = 1_000_000;

const PLANS = [
  { id: 'pay-as-you-go', name: 'Pay as You Go', monthly_credits: 0, aud_per_month: 0 },
  { id: 'team', name: 'Team', monthly_credits: 60_000, aud_per_month: 550 },
] as const;

const REASONS = ['opening', 'topup', 'reserve', 'charge', 'release'] as const;

export function billingOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'billing.credits.balance',
      title: 'Get Credit Balance',
      description: 'Returns how many credits are available and how many are reserved.',
      input: z.object({}),
      output: z.object({ available: z.int(), reserved: z.int(), available_aud: z.number() }),
      effect: reads('balance', account),
      scopes: read,
      run: (_, { organisation }) => {
        const balance = store.credits.balance(organisation);
        return { ...balance, available_aud: toAud(balance.available) };
      },
    }),

    declare(shop, {
      name: 'billing.credits.transactions',
      title: 'List Credit Transactions',
      description: 'Lists every movement of the organisation’s credits, newest first.',
      input: z.object({
        reason: z.enum(REASONS).optional().describe('Only movements of this kind'),
        limit: limitOf(50),
        offset,
      }),
      output: z.object({
        transactions: z
          .array(
            z.object({
              id: z.int(),
              at: z.string(),
              reason: z.enum(REASONS),
              reference: z.string(),
              available_change: z.int(),
              reserved_change: z.int(),
            }),
          )
          .readonly(),
      }),
      effect: reads('credit transaction', account),
      scopes: read,
      run: ({ reason, limit, offset: skip }, { organisation }) => ({
        transactions: store.credits.transactions(organisation, { limit, offset: skip }, reason),
      }),
    }),

    declare(shop, {
      name: 'billing.topup',
      title: 'Top Up Credits',
      description:
        'Buys credits with the card on file: one Australian dollar for each hundred. There is no estimate, since the arguments state the price.',
      input: z.object({
        credits: z.int().min(LEAST_TOPUP).max(MOST_TOPUP).describe('How many credits to buy'),
        payment_method: z
          .string()
          .max(80)
          .optional()
          .describe('A card other than the one on file, such as card_ok in the sandbox'),
      }),
      output: z.object({
        topup_id: z.string(),
        credits: z.int(),
        charged_aud: z.number(),
        charge_id: z.string(),
        available: z.int(),
      }),
      effect: spends('AUD', paid),
      scopes: ['billing:write'],
      produces: ['credit_transaction'],
      run: async ({ credits, payment_method }, caller) => {
        const card = payment_method ?? store.topups.cardOf(caller.organisation);
        const topup = await pay(shop, caller, { key: caller.key, credits, card });
        return {
          topup_id: topup.id,
          credits: topup.credits,
          charged_aud: toAud(topup.credits),
          charge_id: topup.charge_id ?? '',
          available: store.credits.balance(caller.organisation).available,
        };
      },
    }),

    declare(shop, {
      name: 'billing.plans.list',
      title: 'List Plans',
      description: 'Lists the plans that an organisation can be on.',
      input: z.object({}),
      output: z.object({
        plans: z
          .array(
            z.object({
              id: z.string(),
              name: z.string(),
              monthly_credits: z.int(),
              aud_per_month: z.number(),
            }),
          )
          .readonly(),
      }),
      effect: reads('plan', platform),
      scopes: read,
      run: () => ({ plans: PLANS }),
    }),

    declare(shop, {
      name: 'billing.status.get',
      title: 'Get Billing Status',
      description: 'Returns the plan and card of the organisation, and whether it can order.',
      input: z.object({
        organization_id: z.string().max(80).describe('Your organisation'),
      }),
      output: z.object({ plan: z.string(), card: z.string(), can_order: z.boolean() }),
      effect: reads('billing status', account),
      scopes: read,
      run: ({ organization_id }, { organisation }) => {
        found(organization_id === organisation || undefined, 'organisation', organization_id);
        return {
          plan: PLANS[0].id,
          card: store.topups.cardOf(organisation),
          can_order: store.credits.balance(organisation).available > 0,
        };
      },
    }),
  ];
}
