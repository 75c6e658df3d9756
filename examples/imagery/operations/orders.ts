/** Buying imagery and tracking orders. */
import type { Operation } from 'plimsoll/server';
import { cancels, ProblemError, reads, spends, updates } from 'plimsoll/server';
import * as z from 'zod';
import { toAssetAddress } from '../asset-address.ts';
import type { Estimate } from '../estimates.ts';
import { estimateArchive, estimateTasking } from '../estimates.ts';
import type { NewOrder, Order } from '../order.ts';
import { ORDER_KINDS, ORDER_STATUSES } from '../order.ts';
import { RATE_RULES } from '../rate-limit.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { captures, taskingGroups, toCaptures, toTaskings } from './estimates.ts';
import { account, paid } from './facts.ts';
import { found, openProject, refuseErrors, refuseOtherPrice, refuseShort } from './refuse.ts';
import { AssetOut, limitOf, orderId, OrderOut, projectId } from './schemas.ts';

const read = ['orders:read'];
const write = ['orders:write'];

const tags = z.array(z.string().min(1).max(80)).max(20).describe('Tags to find it by');

const placing = {
  project_id: projectId.describe('The project that the imagery is delivered into'),
  display_name: z.string().max(255).default('').describe('The name of the order'),
  tags: tags.default([]),
  expected_credits: z
    .int()
    .positive()
    .optional()
    .describe('The price that was shown; another price is refused'),
};

interface Placing {
  readonly project_id: string;
  readonly display_name: string;
  readonly tags: readonly string[];
  readonly expected_credits?: number | undefined;
}

export function orderOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;

  /** Once per key. A key that was used before returns its order, whatever has changed since. */
  function place(
    caller: Caller,
    { project_id, display_name, tags: words, expected_credits }: Placing,
    { errors, credits }: Estimate<unknown>,
    parts: Pick<NewOrder, 'kind' | 'captures' | 'groups'>,
  ): Order {
    const first = store.orders.findByKey(caller.organisation, caller.key);
    if (first !== undefined) return first;
    openProject(store, caller.organisation, project_id);
    refuseErrors(errors, parts.kind === 'archive' ? '/captures' : '/groups');
    refuseOtherPrice(credits, expected_credits);
    const wanted: NewOrder = { project_id, display_name, tags: words, ...parts };
    const placed = store.orders.place(caller, caller.key, wanted);
    return placed.kind === 'short' ? refuseShort(placed) : placed.order;
  }

  return [
    declare(shop, {
      name: 'orders.archive.place',
      title: 'Place Archive Order',
      description:
        'Orders scenes from the archive. The credits that orders.archive.estimate returns are reserved now and charged on delivery.',
      input: z.object({ ...placing, captures }),
      output: OrderOut,
      effect: spends('credits', { ...paid, estimate: 'orders.archive.estimate', reserves: true }),
      scopes: write,
      produces: ['order'],
      rate: RATE_RULES.orders,
      run: (input, caller) => {
        const estimate = estimateArchive(toCaptures(input.captures), (id) => store.scenes.find(id));
        const parts = { kind: 'archive', captures: estimate.parts, groups: [] } as const;
        return place(caller, input, estimate, parts);
      },
    }),

    declare(shop, {
      name: 'orders.tasking.place',
      title: 'Place Tasking Order',
      description:
        'Orders new captures. The credits that orders.tasking.estimate returns are reserved now and charged on delivery.',
      input: z.object({ ...placing, groups: taskingGroups }),
      output: OrderOut,
      effect: spends('credits', { ...paid, estimate: 'orders.tasking.estimate', reserves: true }),
      scopes: write,
      produces: ['order'],
      rate: RATE_RULES.orders,
      run: (input, caller) => {
        const estimate = estimateTasking(toTaskings(input.groups), caller.at);
        const parts = { kind: 'tasking', captures: [], groups: estimate.parts } as const;
        return place(caller, input, estimate, parts);
      },
    }),

    declare(shop, {
      name: 'orders.cancel',
      title: 'Cancel Order',
      description:
        'Cancels an order that has not been delivered yet, and releases its credits. There is no estimate, since it costs nothing.',
      input: z.object({ order_id: orderId }),
      output: z.object({ orderId: z.string(), status: z.enum(ORDER_STATUSES) }),
      effect: cancels('order', {
        ...paid,
        money: { moves: 'refund', unit: 'credits' },
        tier: 'external_spend',
        tierReason: 'It voids or refunds the reservation, so it runs under the money key contract.',
      }),
      scopes: write,
      rate: RATE_RULES.orders,
      run: ({ order_id }, caller) => {
        const { kind, order } = found(
          store.orders.cancel(caller, caller.key, order_id),
          'order',
          order_id,
        );
        if (kind !== 'closed') return { orderId: order.id, status: order.status };
        throw new ProblemError('conflict', `Order ${order_id} is ${order.status} already.`);
      },
    }),

    declare(shop, {
      name: 'orders.update',
      title: 'Update Order Tags',
      description: 'Replaces the tags of an order.',
      input: z.object({ order_id: orderId, tags }),
      output: OrderOut,
      effect: updates('order tags', account),
      scopes: write,
      run: (input, caller) =>
        found(store.orders.setTags(caller, input.order_id, input.tags), 'order', input.order_id),
    }),

    declare(shop, {
      name: 'orders.get',
      title: 'Get Order',
      description:
        'Returns one order: what was bought, for how much, and whether it has been delivered.',
      input: z.object({ order_id: orderId }),
      output: OrderOut,
      effect: reads('order', account),
      scopes: read,
      run: ({ order_id }, { organisation }) =>
        found(store.orders.find(organisation, order_id), 'order', order_id),
    }),

    declare(shop, {
      name: 'orders.list',
      title: 'List Orders',
      description: 'Lists the orders of the organisation, newest first.',
      input: z.object({
        workspaceId: projectId.optional().describe('Only orders for this project'),
        type: z.enum(ORDER_KINDS).optional().describe('Only orders of this kind'),
        status: z.enum(ORDER_STATUSES).optional().describe('Only orders in this state'),
        size: limitOf(20),
        page: z.int().min(0).default(0).describe('Which page; the first is 0'),
      }),
      output: z.object({ orders: z.array(OrderOut).readonly(), page: z.int(), size: z.int() }),
      effect: reads('order', account),
      scopes: read,
      run: ({ workspaceId, type, status, size, page }, { organisation }) => {
        const query = { projectId: workspaceId, kind: type, status };
        const slice = { limit: size, offset: page * size };
        return { orders: store.orders.list(organisation, query, slice), page, size };
      },
    }),

    declare(shop, {
      name: 'orders.list_assets',
      title: 'List Order Assets',
      description: 'Lists the files that came with an order; none before it is delivered.',
      input: z.object({ order_id: orderId }),
      output: z.object({ assets: z.array(AssetOut) }),
      effect: reads('asset', account),
      scopes: ['items:read'],
      run: ({ order_id }, { organisation }) => {
        found(store.orders.find(organisation, order_id), 'order', order_id);
        const assets = store.orders
          .itemsOf(organisation, order_id)
          .flatMap(({ id }) => store.items.assets(organisation, id));
        return { assets: assets.map((asset) => ({ ...asset, href: toAssetAddress(asset.id) })) };
      },
    }),
  ];
}
