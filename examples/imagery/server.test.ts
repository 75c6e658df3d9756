/** Every operation over real HTTP: it can be called, its scope is needed, and others see nothing. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Repeat } from 'plimsoll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toAssetAddress } from './asset-address.ts';
import type { Called, TestShop } from './test-shop.ts';
import { deliveredItem, MINUTE, openTestShop, SAMPLE_CAPTURE } from './test-shop.ts';

let shop: TestShop;
let itemId: string;
let assetId: string;

let folder: string;
/** A second connection, which sees whether anything was written. */
let peek: DatabaseSync;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'imagery-'));
  shop = await openTestShop(join(folder, 'shop.db'));
  peek = new DatabaseSync(join(folder, 'shop.db'));
  ({ itemId, assetId } = await deliveredItem(shop));
});

afterAll(async () => {
  peek.close();
  await shop[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const version = () => peek.prepare('PRAGMA data_version').get()?.['data_version'];

const id = async (name: string, args: object, field = 'id') =>
  String((await shop.call(name, args)).body[field]);

const project = 'prj_reef';
const order = () => id('orders.archive.place', { project_id: project, captures: [SAMPLE_CAPTURE] });
const collection = () => id('collections.create', { project_id: project, name: 'Coast' });
const item = () => id('items.create', { project_id: project, name: 'x', type: 'user_raster' });
const process = () => ({ process_id: 'pansharpen', inputs: { item_id: itemId } });
const job = () => id('processing.execute', { ...process(), workspaceId: project });
const tasking = () => ({
  sensor: 'kestrel-3',
  bbox: [151.1, -33.95, 151.2, -33.85],
  window_start: '2026-08-01T00:00:00Z',
  window_end: '2026-08-20T00:00:00Z',
});
const raster = () => ({
  cog_url: toAssetAddress(assetId),
  bbox: [151.2, -33.9, 151.3, -33.8],
  max_size: 256,
});
const link = { expires_at: '2026-08-01T00:00:00Z' };
const notification = async () => {
  await order();
  shop.pass(MINUTE);
  const { body } = await shop.call('notifications.list', { limit: 1 });
  return (body['notifications'] as readonly { id: string }[])[0]?.id;
};
const request = () => id('billing.approvals.request', { credits: 500 });
const member = async (user_id: string) => {
  await shop.call('projects.add_member', { project_id: project, user_id });
  return { project_id: project, user_id };
};

/** Arguments with which each operation succeeds, made when they are needed. */
const CALLS: Readonly<Record<string, () => object | Promise<object>>> = {
  'catalog.search': () => ({ host_name: 'kestrel', limit: 3 }),
  'catalog.sources.list': () => ({}),
  'catalog.vendors.list': () => ({}),
  'orders.archive.estimate': () => ({ captures: [SAMPLE_CAPTURE] }),
  'orders.tasking.estimate': () => ({ groups: [tasking()] }),
  'orders.tasking.sensors': () => ({}),
  'orders.archive.place': () => ({ project_id: project, captures: [SAMPLE_CAPTURE] }),
  'orders.tasking.place': () => ({ project_id: project, groups: [tasking()] }),
  'orders.cancel': async () => ({ order_id: await order() }),
  'orders.update': async () => ({ order_id: await order(), tags: ['june'] }),
  'orders.get': async () => ({ order_id: await order() }),
  'orders.list': () => ({}),
  'orders.list_assets': async () => ({ order_id: await order() }),
  'projects.create': () => ({ name: 'New' }),
  'projects.update': () => ({ project_id: project, description: 'Sea' }),
  'projects.archive': async () => ({ project_id: await id('projects.create', { name: 'Old' }) }),
  'projects.delete': async () => ({ project_id: await id('projects.create', { name: 'Gone' }) }),
  'projects.add_member': () => ({ project_id: project, user_id: 'tomas' }),
  'projects.update_member': async () => ({ ...(await member('tomas')), role: 'admin' }),
  'projects.remove_member': () => member('tomas'),
  'collections.create': () => ({ project_id: project, name: 'Coast' }),
  'collections.get': async () => ({ project_id: project, collection_id: await collection() }),
  'collections.list': () => ({ project_id: project }),
  'collections.update': async () => ({
    project_id: project,
    collection_id: await collection(),
    name: 'Shore',
  }),
  'collections.delete': async () => ({ project_id: project, collection_id: await collection() }),
  'items.get': () => ({ item_id: itemId }),
  'items.get_stac': () => ({ item_id: itemId }),
  'items.list': () => ({ project_id: project }),
  'items.list_by_collection': async () => ({ collection_id: await collection() }),
  'items.search_org': () => ({ datetime: '2026-06-01/..' }),
  'items.lineage': () => ({ item_id: itemId }),
  'items.create': () => ({ project_id: project, name: 'x', type: 'user_raster' }),
  'items.update': async () => ({ item_id: await item(), name: 'y' }),
  'items.duplicate': () => ({ item_id: itemId }),
  'items.delete': async () => ({ item_id: await item() }),
  'items.list_assets': () => ({ item_id: itemId }),
  'items.asset.download': () => ({ item_id: itemId, asset_id: assetId }),
  'share.link.create': () => ({ ...link, target_type: 'item', target_id: itemId }),
  'share.link.validate': async () => ({
    token: await id(
      'share.link.create',
      { ...link, target_type: 'item', target_id: itemId },
      'token',
    ),
  }),
  'share.link.revoke': async () => ({
    link_id: await id('share.link.create', { ...link, target_type: 'item', target_id: itemId }),
  }),
  'processing.catalog.list': () => ({}),
  'processing.catalog.get': () => ({ process_id: 'pansharpen' }),
  'processing.catalog.validate': process,
  'processing.catalog.estimate': process,
  'processing.execute': () => ({ ...process(), workspaceId: project }),
  'processing.jobs.list': () => ({}),
  'processing.job.get': async () => ({ job_id: await job() }),
  'processing.job.delete': async () => ({ job_id: await job() }),
  'analytics.sensors.list': () => ({}),
  'analytics.indices.list': () => ({ sensor: 'kestrel-3' }),
  'analytics.index.get': () => ({ index_name: 'ndvi' }),
  'analytics.validate_formula': () => ({ formula: 'nir / red', sensor: 'kestrel-3' }),
  'analytics.operations.list': () => ({}),
  'analytics.execute': () => ({ operation: 'item_area', params: { item_id: itemId } }),
  'analytics.band_math': () => ({ ...raster(), formula: 'nir - red' }),
  'analytics.calculate_index': () => ({ ...raster(), index_name: 'ndvi' }),
  'billing.credits.balance': () => ({}),
  'billing.credits.transactions': () => ({}),
  'billing.topup': () => ({ credits: 1000 }),
  'billing.plans.list': () => ({}),
  'billing.status.get': () => ({ organization_id: 'org_reef' }),
  'billing.approvals.request': () => ({ credits: 500 }),
  'billing.approvals.approve': async () => ({
    approval_id: String(
      (await shop.call('billing.approvals.request', { credits: 500 }, { as: 'tomas' })).body['id'],
    ),
  }),
  'billing.approvals.reject': async () => ({ approval_id: await request() }),
  'billing.approvals.get': async () => ({ approval_id: await request() }),
  'billing.approvals.list': () => ({}),
  'usage.current': () => ({ organization_id: 'org_reef' }),
  'usage.history': () => ({ organization_id: 'org_reef' }),
  'api_keys.create': () => ({ name: 'ci', permissions: ['items:read'] }),
  'api_keys.list': () => ({}),
  'api_keys.revoke': async () => ({ key_id: await id('api_keys.create', { name: 'ci' }) }),
  'notifications.list': () => ({}),
  'notifications.unread_count': () => ({}),
  'notifications.mark_read': async () => ({ notification_id: await notification() }),
  'notifications.mark_all_read': async () => {
    await notification();
    return {};
  },
  'notifications.dismiss': async () => ({ notification_id: await notification() }),
};

const NAMES = Object.keys(CALLS);

describe('every operation', () => {
  it('has its call below, and no call lacks its operation', () => {
    expect(NAMES.toSorted()).toEqual([...shop.server.operations.keys()].toSorted());
  });

  it.each(NAMES)('%s answers as it declares', async (name) => {
    const answer = await shop.call(name, await CALLS[name]?.());
    expect([answer.status, answer.body]).toEqual([200, expect.any(Object)]);
  });

  it.each(NAMES)('%s is refused without its scope, and without a sign-in', async (name) => {
    const [scope] = shop.server.operations.get(name)?.scopes ?? [];
    const refused = await shop.call(name, {}, { as: 'nobody' });
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'scope-missing', missing: [scope] },
    });
    expect((await shop.call(name, {}, { as: null })).status).toBe(401);
  });

  it.each(NAMES)('R171 R190: %s does to the store what its tier says', async (name) => {
    const args = await CALLS[name]?.();
    const before = version();
    await shop.call(name, args);
    const isRead = shop.server.operations.get(name)?.effect.act === 'read';
    expect(version() === before).toBe(isRead);
  });

  it.each(NAMES)('R171 R190: %s does a second time what its repeat says', async (name) => {
    const args = await CALLS[name]?.();
    const repeat = shop.server.operations.get(name)?.effect.repeat;
    const options = repeat?.kind === 'key' ? { key: randomUUID() } : {};
    const first = await shop.call(name, args, options);
    const second = await shop.call(name, args, options);
    expect([name, isAsDeclared(repeat, first, second)]).toEqual([name, true]);
  });

  it('needs an organisation, which not every token has', async () => {
    expect(await shop.call('billing.credits.balance', {}, { as: 'stray' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });
});

describe('what belongs to another organisation', () => {
  /** Operations that name nothing of anybody's; all others name something that ines has not. */
  const UNOWNED = new Set([
    ...NAMES.filter((name) => name.startsWith('catalog.')),
    'orders.archive.estimate',
    'orders.tasking.estimate',
    'orders.tasking.sensors',
    'orders.list',
    'projects.create',
    'items.search_org',
    // A share link opens for whoever has its token.
    'share.link.validate',
    'processing.catalog.list',
    'processing.catalog.get',
    'processing.jobs.list',
    'analytics.sensors.list',
    'analytics.indices.list',
    'analytics.index.get',
    'analytics.validate_formula',
    'analytics.operations.list',
    'billing.credits.balance',
    'billing.credits.transactions',
    'billing.topup',
    'billing.plans.list',
    'billing.approvals.request',
    'billing.approvals.list',
    'api_keys.create',
    'api_keys.list',
    'notifications.list',
    'notifications.unread_count',
    'notifications.mark_all_read',
  ]);

  it.each(NAMES.filter((name) => !UNOWNED.has(name)))('%s does not find it', async (name) => {
    const args = await CALLS[name]?.();
    const answer = await shop.call(name, args, { as: 'ines' });
    expect([answer.status, answer.body]).toEqual([
      404,
      expect.objectContaining({ code: 'not-found' }),
    ]);
  });

  it.each([
    ['orders.list', 'orders', {}],
    ['processing.jobs.list', 'jobs', {}],
    ['api_keys.list', 'keys', {}],
    ['notifications.list', 'notifications', {}],
    ['billing.credits.transactions', 'transactions', {}],
    ['billing.approvals.list', 'requests', {}],
    ['items.search_org', 'features', {}],
  ])('%s does not list it', async (name, field, args) => {
    expect((await shop.call(name, args)).body[field]).not.toEqual([]);
    expect((await shop.call(name, args, { as: 'ines' })).body[field]).toEqual([]);
  });
});

/** A key gives the first answer again; what happens without one is in spending.test.ts. */
function isAsDeclared(repeat: Repeat | undefined, first: Called, second: Called): boolean {
  const isEqual = isDeepStrictEqual(second.body, first.body);
  if (repeat?.kind === 'key') {
    const isReplay = second.headers['idempotent-replayed'] === 'true';
    return first.status === 200 && isReplay && second.text === first.text;
  }
  if (repeat?.kind !== 'end-state') return !isEqual;
  return repeat.result === 'same' ? isEqual : [200, 404, 409].includes(second.status);
}
