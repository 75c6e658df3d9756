/** What lets data out, over real HTTP: secrets that are shown once, and ends that hold. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestShop } from './test-shop.ts';
import { deliveredItem, MINUTE, openTestShop } from './test-shop.ts';

let shop: TestShop;
let itemId: string;
let assetId: string;

beforeAll(async () => {
  shop = await openTestShop();
  ({ itemId, assetId } = await deliveredItem(shop));
});

afterAll(() => shop[Symbol.asyncDispose]());

const LINK = { password: 'correct horse', expires_at: '2026-07-02T00:00:00Z' };
const share = () =>
  shop.call('share.link.create', { ...LINK, target_type: 'item', target_id: itemId });
const open = (token: unknown, password = LINK.password) =>
  shop.call('share.link.validate', { token, password }, { as: 'ines' });

describe('a share link', () => {
  it('R108: made again is another secret', async () => {
    const [first, second] = [await share(), await share()];
    expect(first.body['token']).not.toBe(second.body['token']);
    expect(first.body['id']).not.toBe(second.body['id']);
  });

  it('R149: opens for whoever has token and password, of any organisation', async () => {
    const { body } = await share();
    expect(await open(body['token'])).toMatchObject({
      status: 200,
      body: { permission: 'view', target_type: 'item', target: { id: itemId } },
    });
  });

  it('R146: nothing that is kept or listed shows the token again', async () => {
    const { body } = await share();
    const token = String(body['token']);
    await shop.ledger.flush();
    const found = shop.store.shareLinks.find('org_reef', String(body['id']));
    expect(
      JSON.stringify([found, shop.receipts, shop.store.events.list('org_reef')]),
    ).not.toContain(token);
  });

  it('does not open with a wrong password, late, or revoked, and all look the same', async () => {
    const { body } = await share();
    const missing = { status: 404, body: { code: 'not-found' } };
    const wrong = await open(body['token'], 'battery staple');
    expect(wrong).toMatchObject(missing);
    expect((await open('share_unknown')).body).toEqual(wrong.body);
    const revoke = () => shop.call('share.link.revoke', { link_id: body['id'] });
    expect((await revoke()).body).toEqual({ ok: true, id: body['id'] });
    expect((await open(body['token'])).body).toEqual(wrong.body);
    const late = await share();
    shop.pass(24 * 60 * MINUTE);
    expect((await open(late.body['token'])).body).toEqual(wrong.body);
  });

  it('cannot be guessed at speed', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => open('share_guess')));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  });

  it('is not made by viewers of the project, and not for ever', async () => {
    await shop.call('projects.add_member', {
      project_id: 'prj_reef',
      user_id: 'tomas',
      role: 'viewer',
    });
    const args = {
      ...LINK,
      expires_at: '2026-07-05T00:00:00Z',
      target_type: 'item',
      target_id: itemId,
    };
    expect((await shop.call('share.link.create', args, { as: 'tomas' })).status).toBe(403);
    const forever = { ...args, expires_at: '2028-01-01T00:00:00Z' };
    expect((await shop.call('share.link.create', forever)).status).toBe(422);
  });
});

describe('an export', () => {
  it('R149: its address works once, for whoever has it', async () => {
    const { body } = await shop.call('items.asset.download', {
      item_id: itemId,
      asset_id: assetId,
    });
    const fetched = await fetch(String(body['url']));
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([
      200,
      body['media_type'],
    ]);
    expect((await fetched.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    expect((await fetch(String(body['url']))).status).toBe(404);
  });

  it('is fetched by one of many who try at once', async () => {
    const { body } = await shop.call('items.asset.download', {
      item_id: itemId,
      asset_id: assetId,
    });
    const tries = await Promise.all(
      Array.from({ length: 10 }, async () => (await fetch(String(body['url']))).status),
    );
    expect(tries.filter((status) => status === 200)).toHaveLength(1);
  });

  it('serves no secret of another kind, and nothing that is gone', async () => {
    const { body } = await shop.call('items.duplicate', { item_id: itemId });
    const copy = body['id'];
    const { body: listed } = await shop.call('items.list_assets', { item_id: copy });
    const [asset] = listed['assets'] as readonly { id: string }[];
    const taken = await shop.call('items.asset.download', { item_id: copy, asset_id: asset?.id });
    const url = new URL(String(taken.body['url']));
    const other = await shop.call('api_keys.create', { name: 'x' });
    expect((await fetch(new URL(`/exports/${String(other.body['key'])}`, url))).status).toBe(404);
    await shop.call('items.delete', { item_id: copy });
    expect((await fetch(url)).status).toBe(404);
  });
});

describe('an API key', () => {
  it('acts for its organisation with its own scopes, until it is revoked', async () => {
    const { body } = await shop.call('api_keys.create', {
      name: 'ci',
      permissions: ['billing:read'],
    });
    const key = String(body['key']);
    expect(key.startsWith(String(body['prefix']))).toBe(true);
    const look = () => shop.call('billing.credits.balance', {}, { as: key });
    expect((await look()).status).toBe(200);
    expect((await shop.call('items.search_org', {}, { as: key })).status).toBe(403);
    await shop.call('api_keys.revoke', { key_id: body['id'] });
    expect((await look()).status).toBe(401);
  });

  it('R146: is listed without the key', async () => {
    const { body } = await shop.call('api_keys.create', { name: 'ci' });
    expect((await shop.call('api_keys.list')).text).not.toContain(String(body['key']));
  });

  it('never holds more than who made it', async () => {
    const mine = await shop.call('api_keys.create', { name: 'a', permissions: ['api_keys:write'] });
    const more = { name: 'b', permissions: ['billing:write'] };
    expect(
      await shop.call('api_keys.create', more, { as: String(mine.body['key']) }),
    ).toMatchObject({
      status: 403,
      body: { missing: ['billing:write'] },
    });
  });
});

describe('destruction', () => {
  it('R107: has no replay: a second deletion is a call of its own, and finds nothing', async () => {
    const { body } = await shop.call('items.create', {
      project_id: 'prj_reef',
      name: 'x',
      type: 'user_raster',
    });
    const remove = () =>
      shop.call('items.delete', { item_id: body['id'] }, { key: 'one-key-for-both-calls' });
    expect((await remove()).status).toBe(200);
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'not-found' } });
  });
});
