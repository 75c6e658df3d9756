/** What the organisation has used. */
import type { Operation } from 'plimsoll/server';
import { reads } from 'plimsoll/server';
import * as z from 'zod';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account } from './facts.ts';
import { found } from './refuse.ts';

const scopes = ['usage:read'];
const organizationId = z.string().max(80).describe('Your organisation');

const MonthOut = z.object({ month: z.string(), credits_charged: z.int() });

export function usageOperations(shop: Shop): readonly Operation[] {
  const { usage } = shop.store;
  const mine = (wanted: string, organisation: string) =>
    found(wanted === organisation ? organisation : undefined, 'organisation', wanted);
  return [
    declare(shop, {
      name: 'usage.current',
      title: 'Get Current Usage',
      description: 'Returns what was used this month: credits, storage and compute.',
      input: z.object({ organization_id: organizationId }),
      output: MonthOut.extend({
        items: z.int(),
        storage_bytes: z.int(),
        compute_seconds_today: z.int(),
        compute_seconds_per_day: z.int(),
      }),
      effect: reads('usage', account),
      scopes,
      run: ({ organization_id }, { organisation, at }) =>
        usage.current(mine(organization_id, organisation), at),
    }),

    declare(shop, {
      name: 'usage.history',
      title: 'Get Usage History',
      description: 'Returns how many credits were charged, month by month, newest first.',
      input: z.object({
        organization_id: organizationId,
        months: z.int().min(1).max(36).default(3).describe('How many months; default: 3'),
      }),
      output: z.object({ months: z.array(MonthOut).readonly() }),
      effect: reads('usage', account),
      scopes,
      run: ({ organization_id, months }, { organisation, at }) => ({
        months: usage.history(mine(organization_id, organisation), at, months),
      }),
    }),
  ];
}
