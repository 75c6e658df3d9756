/** Orders, jobs and what they do to credits: once for each key, and never more than is there. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewOrder, Order } from '../order.ts';
import type { Store } from '../store.ts';
import { openStore } from '../store.ts';
import { workOnce } from '../worker.ts';
import type { Placing } from './orders.ts';

const at = new Date('2026-07-01T00:00:00Z');
const later = new Date('2026-07-02T00:00:00Z');
const reef = { organisation: 'org_reef', user: 'mara', at };
const terra = { organisation: 'org_terra', user: 'ines', at };
let store: Store;

beforeEach(() => {
  store = openStore(':memory:');
});

afterEach(() => store.close());

function order(credits: number): NewOrder {
  return {
    project_id: 'prj_reef',
    kind: 'archive',
    display_name: 'Harbour',
    tags: ['june'],
    captures: [{ scene_id: 'scn_00001', bbox: [151.2, -33.9, 151.3, -33.8], area_km2: 5, credits }],
    groups: [],
  };
}

function placed(placing: Placing): Order {
  if (placing.kind === 'short') throw new Error('short of credits');
  return placing.order;
}

const balance = () => store.credits.balance('org_reef');

describe('orders', () => {
  it('placing sets aside, delivery charges and hands over', () => {
    const { id } = placed(store.orders.place(reef, 'k', order(240)));
    expect(balance()).toEqual({ available: 49_760, reserved: 240 });
    expect(workOnce(store, at).delivered).toEqual([]);
    expect(workOnce(store, later).delivered).toMatchObject([{ id, status: 'delivered' }]);
    expect(workOnce(store, later).delivered).toEqual([]);
    expect(balance()).toEqual({ available: 49_760, reserved: 0 });
    expect(store.orders.itemsOf('org_reef', id)).toMatchObject([
      { type: 'satellite_capture', project_id: 'prj_reef', order_id: id },
    ]);
    expect(store.inbox.list(reef, { limit: 9, offset: 0 })).toMatchObject([{ subject: id }]);
  });

  it('one key is one order, for ever', () => {
    const first = store.orders.place(reef, 'k', order(240));
    expect(store.orders.place(reef, 'k', order(240))).toEqual({ ...first, kind: 'again' });
    workOnce(store, later);
    expect(store.orders.place(reef, 'k', order(240))).toMatchObject({ kind: 'again' });
    expect(balance()).toEqual({ available: 49_760, reserved: 0 });
  });

  it('the same key of another organisation is another key', () => {
    store.orders.place(reef, 'k', order(240));
    expect(store.orders.place(terra, 'k', { ...order(1), project_id: 'prj_terra' })).toEqual({
      kind: 'short',
      available: 0,
      needed: 1,
    });
  });

  it('cancelling sets free, once, and not what was delivered', () => {
    const one = placed(store.orders.place(reef, 'k-1', order(240)));
    const two = placed(store.orders.place(reef, 'k-2', order(100)));
    expect(store.orders.cancel(reef, 'c-1', one.id)).toMatchObject({ kind: 'cancelled' });
    expect(store.orders.cancel(reef, 'c-1', one.id)).toMatchObject({ kind: 'again' });
    expect(store.orders.cancel(reef, 'c-2', one.id)).toMatchObject({ kind: 'closed' });
    workOnce(store, later);
    expect(store.orders.cancel(reef, 'c-3', two.id)).toMatchObject({ kind: 'closed' });
    expect(balance()).toEqual({ available: 49_900, reserved: 0 });
  });

  it('an order of others is not there', () => {
    const { id } = placed(store.orders.place(reef, 'k', order(240)));
    expect(store.orders.find('org_terra', id)).toBeUndefined();
    expect(store.orders.cancel(terra, 'c', id)).toBeUndefined();
    expect(store.orders.setTags(terra, id, [])).toBeUndefined();
  });

  it('nothing is placed that cannot be paid', () => {
    expect(store.orders.place(reef, 'k', order(50_001))).toEqual({
      kind: 'short',
      available: 50_000,
      needed: 50_001,
    });
    expect(store.orders.list('org_reef', {}, { limit: 9, offset: 0 })).toEqual([]);
    expect(balance()).toEqual({ available: 50_000, reserved: 0 });
  });

  it('a project with an open order cannot be deleted', () => {
    store.orders.place(reef, 'k', order(240));
    expect(store.projects.delete(reef, 'prj_reef')).toMatchObject({ kind: 'busy', orders: 1 });
    workOnce(store, later);
    expect(store.projects.delete(reef, 'prj_reef')).toMatchObject({ kind: 'deleted' });
    expect(store.orders.list('org_reef', {}, { limit: 9, offset: 0 })).toMatchObject([
      { project_id: null, status: 'delivered' },
    ]);
  });
});

describe('jobs', () => {
  const job = (item_id: string, process_id = 'pansharpen') => ({
    project_id: 'prj_reef',
    process_id,
    item_id,
    megapixels: 5,
    credits: 50,
  });
  const item = (cloud_cover = 0) =>
    store.items.create(reef, {
      project_id: 'prj_reef',
      type: 'user_raster',
      name: 'x',
      bbox: [0, 0, 1, 1],
      gsd: 10,
      cloud_cover,
    });

  it('one key is one job; success charges and gives an item', () => {
    const first = store.jobs.queue(reef, 'k', job(item().id));
    expect(store.jobs.queue(reef, 'k', job(item().id))).toEqual({ ...first, kind: 'again' });
    expect(balance()).toEqual({ available: 49_950, reserved: 50 });
    const [done] = workOnce(store, later).finished;
    expect(done).toMatchObject({ status: 'succeeded', result_item_id: expect.any(String) });
    expect(store.items.find('org_reef', done?.result_item_id ?? '')).toMatchObject({
      type: 'derived_raster',
    });
    expect(balance()).toEqual({ available: 49_950, reserved: 0 });
  });

  it('failure sets free and says why', () => {
    store.jobs.queue(reef, 'k', job(item(90).id, 'building-footprints'));
    expect(workOnce(store, later).finished).toMatchObject([
      { status: 'failed', error: expect.stringMatching(/90% cloudy/) },
    ]);
    expect(balance()).toEqual({ available: 50_000, reserved: 0 });
  });

  it('a job deleted before it ended sets free, and its key never runs another', () => {
    const queued = store.jobs.queue(reef, 'k', job(item().id));
    const id = queued.kind === 'short' ? '' : queued.job.id;
    expect(store.jobs.delete(terra, id)).toBe(false);
    expect(store.jobs.delete(reef, id)).toBe(true);
    expect(store.jobs.delete(reef, id)).toBe(false);
    expect(store.jobs.find('org_reef', id)).toBeUndefined();
    expect(balance()).toEqual({ available: 50_000, reserved: 0 });
    expect(store.jobs.queue(reef, 'k', job(item().id))).toMatchObject({ kind: 'again' });
    expect(workOnce(store, later).finished).toEqual([]);
    expect(balance()).toEqual({ available: 50_000, reserved: 0 });
  });
});

describe('whatever happens', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('place' as const),
      key: fc.integer({ max: 6, min: 0 }),
      credits: fc.integer({ min: 1, max: 30_000 }),
    }),
    fc.record({
      do: fc.constant('cancel' as const),
      key: fc.integer({ max: 6, min: 0 }),
      of: fc.nat(6),
    }),
    fc.record({ do: fc.constant('work' as const) }),
  );

  it('credits are neither made nor lost', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const shop = openStore(':memory:');
        try {
          const orders = new Map<number, Order>();
          for (const each of steps) {
            if (each.do === 'place') {
              const placing = shop.orders.place(reef, `p${each.key}`, order(each.credits));
              if (placing.kind !== 'short') orders.set(each.key, placing.order);
            } else if (each.do === 'cancel') {
              shop.orders.cancel(reef, `c${each.key}`, orders.get(each.of)?.id ?? '');
            } else workOnce(shop, later);
          }
          const all = shop.orders.list('org_reef', {}, { limit: 100, offset: 0 });
          const sum = (status: Order['status']) =>
            all
              .filter((one) => one.status === status)
              .reduce((total, one) => total + one.credits, 0);
          expect(shop.credits.balance('org_reef')).toEqual({
            available: 50_000 - sum('placed') - sum('delivered'),
            reserved: sum('placed'),
          });
        } finally {
          shop.close();
        }
      }),
      { numRuns: 30 },
    );
  });
});
