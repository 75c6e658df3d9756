/** A real API behind a real MCP server, called by a real client: what is listed, sent and answered. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordingApi } from '../../../test/support/recording-api.ts';
import { openShopApi } from '../../../test/support/shop-api.ts';
import type { Shop } from '../../../test/support/shop-server.ts';
import { openShop, TOKENS } from '../../../test/support/shop-server.ts';
import type { ProjectOptions } from './project-openapi.ts';
import { CALL_META_KEYS } from '../../effect/meta-keys.ts';

let api: RecordingApi;
let shop: Shop;

beforeAll(async () => {
  api = await openShopApi();
  shop = await openShop(api.url);
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

const call = (name: string, args: Record<string, unknown> = {}) =>
  shop.client.callTool({ name, arguments: args });

describe('tools/list', () => {
  it('R157 R158 R159 R160 R161: has no tool for pictures, files, streams, admins and untyped spends', async () => {
    const { tools } = await shop.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'orders.list',
      'orders.place',
      'orders.estimate',
      'orders.get',
      'orders.delete',
      'odd.get',
      'odd.post',
    ]);
  });

  it('R162: has the typed mutations with their hints, tiers and scopes', async () => {
    const { tools } = await shop.client.listTools();
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get('orders.place')).toMatchObject({
      title: 'Place Order',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      _meta: {
        'x-side-effect': 'external_spend',
        'x-required-scope': 'orders:write',
        'x-produces': ['order'],
        'anthropic/requiresUserInteraction': true,
      },
      inputSchema: { required: ['item'] },
      outputSchema: { type: 'object', required: ['id'] },
    });
    expect(byName.get('orders.delete')).toMatchObject({
      annotations: { readOnlyHint: false, destructiveHint: true },
      _meta: { 'x-side-effect': 'destructive' },
    });
    expect(byName.get('orders.estimate')?.annotations).toMatchObject({ readOnlyHint: true });
  });
});

describe('a call', () => {
  it('becomes one request, and its answer the result', async () => {
    const listed = await call('orders.list', { status: ['open', 'a&b'] });
    expect(listed.content).toEqual([{ type: 'text', text: '[{"id":"open"},{"id":"a&b"}]' }]);
    const got = await call('orders.get', { id: 'a/b' });
    expect(got.structuredContent).toEqual({ id: 'a/b' });
    expect(api.seen.at(-1)?.url).toBe(`${api.url}/orders/a%2Fb`);
    expect(await call('orders.delete', { id: '7' })).toMatchObject({ content: [] });
    expect(api.seen.at(-1)).toMatchObject({ method: 'DELETE', url: `${api.url}/orders/7` });
  });

  it('carries the credentials of the server and nothing of the caller', async () => {
    await call('orders.get', { id: '1' });
    const { headers } = api.seen.at(-1) ?? {};
    expect(headers).toMatchObject({ authorization: 'Bearer the-server-itself' });
    expect(JSON.stringify(api.seen)).not.toContain(TOKENS.mia);
  });

  it('is refused before it is sent when the arguments or the scopes do not fit', async () => {
    const before = api.seen.length;
    expect(await call('orders.get', { id: 7 })).toMatchObject({
      _meta: { [CALL_META_KEYS.problem.key]: { code: 'invalid-input' } },
    });
    for (const id of ['..', 'a/../b']) {
      expect(await call('orders.get', { id })).toMatchObject({
        _meta: { [CALL_META_KEYS.problem.key]: { code: 'invalid-input' } },
      });
    }
    expect(await shop.post('orders.list', {}, { authorization: '' })).toMatchObject({
      status: 401,
    });
    expect(api.seen).toHaveLength(before);
  });

  it('leaves the server only as the document declared the answer', async () => {
    expect(await call('orders.get', { id: 'wrong' })).toMatchObject({
      isError: true,
      _meta: { [CALL_META_KEYS.problem.key]: { code: 'invalid-output' } },
    });
  });
});

describe('a key', () => {
  const key = 'intention-0000000001';

  it('R104: arrives as a header, goes on as a header, and counts once', async () => {
    const first = await shop.post('orders.place', { item: 'map' }, { 'idempotency-key': key });
    expect(first).toMatchObject({ status: 200, body: { item: 'map' } });
    const sent = api.seen.at(-1);
    expect(sent).toMatchObject({ method: 'POST', body: '{"item":"map"}' });
    expect(sent?.headers['idempotency-key']).toMatch(/^[\w.:-]{16,255}$/);
    const before = api.seen.length;
    expect(await shop.post('orders.place', { item: 'map' }, { 'idempotency-key': key })).toEqual(
      first,
    );
    expect(api.seen).toHaveLength(before);
  });

  it('is another one for another caller, who shares the account of the server', async () => {
    const mine = api.seen.findLast(({ method }) => method === 'POST')?.headers['idempotency-key'];
    const other = { authorization: `Bearer ${TOKENS.leo}`, 'idempotency-key': key };
    expect(await shop.post('orders.place', { item: 'map' }, other)).toMatchObject({ status: 200 });
    const theirs = api.seen.at(-1)?.headers['idempotency-key'];
    expect(theirs).not.toBe(mine);
  });

  it('is needed where the document says so', async () => {
    expect(await call('orders.place', { item: 'map' })).toMatchObject({
      _meta: { [CALL_META_KEYS.problem.key]: { code: 'key-required' } },
    });
  });

  it('is the same when an interrupted call is sent again', async () => {
    const keyed = { item: 'broken', idempotency_key: 'intention-0000000002' };
    const doubt = { _meta: { [CALL_META_KEYS.problem.key]: { code: 'retry-same-key' } } };
    expect(await call('orders.place', keyed)).toMatchObject(doubt);
    const first = api.seen.at(-1)?.headers['idempotency-key'];
    await expect.poll(() => call('orders.place', keyed), { timeout: 10_000 }).toMatchObject(doubt);
    expect(api.seen.at(-1)?.headers['idempotency-key']).toBe(first);
    expect(JSON.stringify(shop.logged)).not.toContain('stack trace');
  });
});

it('can give each principal credentials of its own', async () => {
  const headers: ProjectOptions['headers'] = ({ principal }) => ({ 'x-for': principal?.id ?? '' });
  await using own = await openShop(api.url, { headers });
  await own.post('orders.list', {}, { authorization: `Bearer ${TOKENS.leo}` });
  expect(api.seen.at(-1)?.headers).toMatchObject({ 'x-for': 'leo' });
});
