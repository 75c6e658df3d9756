/** Rates, budgets, pages and what is written wrongly, over real HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toAssetAddress } from './asset-address.ts';
import type { TestShop } from './test-shop.ts';
import { deliveredItem, MINUTE, openTestShop } from './test-shop.ts';

let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop();
});

afterAll(() => shop[Symbol.asyncDispose]());

describe('rates', () => {
  it('too many spends are a 429 that tells how long to wait, and is right', async () => {
    const buy = () => shop.call('billing.topup', { credits: 100, payment_method: 'card_declined' });
    const first = await Promise.all(Array.from({ length: 31 }, buy));
    const refused = first.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({
      headers: { 'retry-after': '2' },
      body: { code: 'rate-limited', retryAfter: 2 },
    });
    expect((await shop.call('billing.topup', { credits: 100 }, { as: 'tomas' })).status).toBe(200);
    shop.pass(2000);
    expect((await buy()).status).toBe(402);
  });
});

describe('the compute budget', () => {
  it('lets compute run without money, until the day is used up', async () => {
    const { assetId } = await deliveredItem(shop);
    const before = shop.store.credits.balance('org_reef');
    const run = (max_size: number) =>
      shop.call('analytics.calculate_index', {
        cog_url: toAssetAddress(assetId),
        bbox: [151.2, -33.9, 151.3, -33.8],
        index_name: 'ndvi',
        max_size,
      });
    for (let left = 600 - 135; left > 0; left -= 135) {
      expect((await run(8192)).body).toMatchObject({
        compute_seconds: 135,
        compute_seconds_left_today: left,
        statistics: { valid_pixels: 4096 },
      });
    }
    expect(await run(8192)).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
    expect((await run(1024)).status).toBe(200);
    expect(shop.store.credits.balance('org_reef')).toEqual(before);
    shop.pass(24 * 60 * MINUTE);
    expect((await run(8192)).status).toBe(200);
  });

  it('is for the organisation’s own assets; no address of a caller is fetched', async () => {
    for (const cog_url of ['http://127.0.0.1:1/x', 'https://assets.imagery.example/../etc', '']) {
      const args = { cog_url, bbox: [0, 0, 1, 1], formula: 'nir' };
      expect((await shop.call('analytics.band_math', args)).body).toMatchObject({
        code: 'invalid-input',
        errors: [{ pointer: '/cog_url' }],
      });
    }
  });
});

describe('pages', () => {
  it('of a search join without gap or repeat', async () => {
    const args = { host_name: 'kestrel', bbox: [178, -20, -178, -14] };
    const all = (await shop.call('catalog.search', { ...args, limit: 500 })).body;
    const ids: unknown[] = [];
    let next: unknown;
    do {
      const { body } = await shop.call('catalog.search', {
        ...args,
        limit: 7,
        ...(next !== undefined && { next }),
      });
      ids.push(...(body['features'] as readonly { id: string }[]).map(({ id }) => id));
      next = body['next'] ?? undefined;
    } while (next !== undefined);
    expect(ids).toEqual((all['features'] as readonly { id: string }[]).map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(30);
  });

  it('of lists follow limit and offset', async () => {
    for (const name of ['a', 'b', 'c']) {
      await shop.call('items.create', { project_id: 'prj_reef', name, type: 'user_raster' });
    }
    const { body } = await shop.call('items.list', { project_id: 'prj_reef', limit: 1, offset: 1 });
    expect(body).toMatchObject({ items: [{ name: 'b' }], total: expect.any(Number) });
  });
});

describe('what is written wrongly', () => {
  it.each([
    ['catalog.search', { host_name: 'nasa' }, '/host_name'],
    ['catalog.search', { host_name: 'kestrel', bbox: [0, 5, 1, 4] }, '/bbox'],
    ['catalog.search', { host_name: 'kestrel', datetime: 'yesterday' }, '/datetime'],
    ['catalog.search', { host_name: 'kestrel', next: 'bm90IGEgcGxhY2U' }, '/next'],
    ['catalog.search', { host_name: 'kestrel', limit: 501 }, '/limit'],
    ['orders.archive.estimate', { captures: [] }, '/captures'],
    ['items.create', { project_id: 'prj_reef', name: '', type: 'user_raster' }, '/name'],
  ])('%s %j is refused with the place', async (name, args, pointer) => {
    expect(await shop.call(name, args)).toMatchObject({
      status: 422,
      body: { code: 'invalid-input', errors: [{ pointer }] },
    });
  });

  it('an archived project takes nothing until it is brought back', async () => {
    const { body } = await shop.call('projects.create', { name: 'Old' });
    const project_id = body['id'];
    await shop.call('projects.archive', { project_id });
    const add = () => shop.call('collections.create', { project_id, name: 'x' });
    expect((await add()).body['code']).toBe('conflict');
    await shop.call('projects.update', { project_id, is_archived: false });
    expect((await add()).status).toBe(200);
  });
});
