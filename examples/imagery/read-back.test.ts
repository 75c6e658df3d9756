/** What an agent makes, it can look at again; and looking changes nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestShop } from './test-shop.ts';
import { deliveredItem, MINUTE, openTestShop, SAMPLE_CAPTURE } from './test-shop.ts';

let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop();
});

afterAll(() => shop[Symbol.asyncDispose]());

it('R76: orders, collections, jobs, notifications, balance and usage can be read back', async () => {
  const { itemId } = await deliveredItem(shop);
  const read = async (name: string, args: object = {}) => (await shop.call(name, args)).body;
  const project_id = 'prj_reef';
  const collection = (await shop.call('collections.create', { project_id, name: 'Coast' })).body;
  const order = (
    await shop.call('orders.archive.place', { project_id, captures: [SAMPLE_CAPTURE] })
  ).body;
  const run = { process_id: 'cloud-mask', workspaceId: project_id, inputs: { item_id: itemId } };
  const job = (await shop.call('processing.execute', run)).body;

  expect(await read('orders.get', { order_id: order['id'] })).toEqual(order);
  expect(await read('orders.list', { status: 'placed' })).toMatchObject({ orders: [order] });
  expect(await read('collections.get', { project_id, collection_id: collection['id'] })).toEqual(
    collection,
  );
  expect(await read('collections.list', { project_id })).toEqual({ collections: [collection] });
  expect(await read('processing.job.get', { job_id: job['id'] })).toEqual(job);
  expect(await read('processing.jobs.list')).toMatchObject({ jobs: [job] });

  const spent = Number(order['credits']) + Number(job['credits']);
  expect(await read('billing.credits.balance')).toMatchObject({ reserved: spent });
  shop.pass(MINUTE);
  expect(await read('billing.credits.balance')).toMatchObject({
    reserved: 0,
    available: 50_000 - 240 - spent,
  });
  const { credits_charged } = await read('usage.current', { organization_id: 'org_reef' });
  expect(credits_charged).toBe(240 + spent);
  expect(await read('usage.history', { organization_id: 'org_reef', months: 2 })).toEqual({
    months: [
      { month: '2026-07', credits_charged },
      { month: '2026-06', credits_charged: 0 },
    ],
  });
  const { notifications } = await read('notifications.list');
  const subjects = (notifications as readonly { subject: string }[]).map(({ subject }) => subject);
  expect(subjects).toEqual(expect.arrayContaining([order['id'], job['id']]));
  const { ancestors } = await read('items.lineage', {
    item_id: (await read('processing.job.get', { job_id: job['id'] }))['result_item_id'],
  });
  expect(ancestors).toMatchObject([{ item_id: itemId, order_id: expect.any(String) }]);
});
