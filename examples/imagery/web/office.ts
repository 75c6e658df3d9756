/**
 * What the people who run the shop do: operations like any other, through the same pipeline and with
 * scopes of their own, but of a server that is never served over MCP.
 */
import type { Operation } from 'plimsoll/server';
import { computes, reads } from 'plimsoll/server';
import * as z from 'zod';
import type { Shop } from '../operations/declare.ts';
import { declare } from '../operations/declare.ts';
import { platform } from '../operations/facts.ts';
import { workOnce } from '../worker.ts';
import type { Handler } from './route.ts';
import { toJson } from './route.ts';

export function officeOperations(shop: Shop): readonly Operation[] {
  return [
    declare(shop, {
      name: 'billing.reconciliation.run',
      title: 'Reconcile Credits',
      description: 'Compares the reserved credits of every organisation with its orders and jobs.',
      input: z.object({}),
      output: z.object({
        organisations: z
          .array(z.object({ id: z.string(), reserved: z.int(), open: z.int() }).readonly())
          .readonly(),
        drifted: z.array(z.string()).readonly(),
      }),
      effect: reads('balance', platform),
      scopes: ['admin:read'],
      run: () => {
        const organisations = shop.store.reconciliation.list();
        const drifted = organisations.filter(({ reserved, open }) => reserved !== open);
        return { organisations, drifted: drifted.map(({ id }) => id) };
      },
    }),

    declare(shop, {
      name: 'orders.deliver_due',
      title: 'Deliver What Is Due',
      description: 'Delivers orders, starts and ends jobs, as far as they are due.',
      input: z.object({}),
      output: z.object({ delivered: z.int(), finished: z.int() }),
      effect: computes('due work', platform),
      scopes: ['admin:write'],
      run: (_, { at }) => {
        const { delivered, finished } = workOnce(shop.store, at);
        return { delivered: delivered.length, finished: finished.length };
      },
    }),
  ];
}

export const reconcile: Handler = async ({ call }) =>
  toJson(await call('billing.reconciliation.run', {}));

export const workDue: Handler = async ({ call }) => toJson(await call('orders.deliver_due', {}));
