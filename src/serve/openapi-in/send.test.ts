/** What goes wrong at the API, as its caller sees it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordingApi } from '../../../test/support/recording-api.ts';
import { openShopApi } from '../../../test/support/shop-api.ts';
import type { Shop } from '../../../test/support/shop-server.ts';
import { openShop } from '../../../test/support/shop-server.ts';
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

describe('send', () => {
  it.each([
    ['orders.get', { id: 'none' }, 'not-found', 'Shop answered 404: There is no order.'],
    [
      'orders.place',
      { item: 'too dear', idempotency_key: 'intention-0000000003' },
      'payment-required',
      'Shop answered 402: The balance is 3 credits.',
    ],
    ['odd.get', { id: 'busy' }, 'unavailable', 'Shop answered 503.'],
    ['odd.get', { id: 'slow' }, 'unavailable', 'Shop did not answer within 1000 ms.'],
    ['odd.post', { id: 'busy' }, 'internal-error', 'odd.post failed.'],
    ['odd.post', { id: 'slow' }, 'internal-error', 'odd.post failed.'],
    ['odd.get', { id: 'elsewhere' }, 'internal-error', 'odd.get failed.'],
    ['odd.get', { id: 'loop' }, 'internal-error', 'odd.get failed.'],
    ['odd.post', { id: 'here' }, 'internal-error', 'odd.post failed.'],
    ['odd.get', { id: 'huge' }, 'internal-error', 'odd.get failed.'],
    ['odd.get', { id: 'bytes' }, 'internal-error', 'odd.get failed.'],
    ['odd.get', { id: 'half' }, 'internal-error', 'odd.get failed.'],
  ])('%s %j is %s', async (name, args, code, detail) => {
    expect(await call(name, args)).toMatchObject({
      isError: true,
      _meta: { [CALL_META_KEYS.problem.key]: { code, detail } },
    });
  });

  it('follows a read within its origin', async () => {
    expect(await call('odd.get', { id: 'here' })).toMatchObject({
      content: [{ text: '{"id":"moved"}' }],
    });
  });

  it('takes text as text', async () => {
    const { content } = await call('odd.get', { id: 'html' });
    expect(content).toEqual([{ type: 'text', text: '<h1>Hello</h1>' }]);
  });

  it.each(['like-ours', 'asking'])('takes data for data even when it looks %s', async (id) => {
    const { content, isError } = await call('odd.get', { id });
    expect(isError).toBeUndefined();
    expect(content).toEqual([
      { type: 'text', text: expect.stringMatching(/^\{"(kind|resultType)/) },
    ]);
  });

  it('says that nothing was sent when nobody is there', async () => {
    const { url: nowhere, ...gone } = await openShopApi();
    await gone[Symbol.asyncDispose]();
    await using alone = await openShop(nowhere);
    expect(await alone.post('odd.post', { id: 'x' })).toMatchObject({
      status: 503,
      body: { detail: 'odd.post could not reach its partner. Nothing was sent.' },
    });
  });

  it.each([
    [{ code: 'ECONNREFUSED', syscall: 'connect' }, 'unavailable'],
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'unavailable'],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'unavailable'],
    [new AggregateError([{ syscall: 'connect' }, { syscall: 'connect' }]), 'unavailable'],
    [new AggregateError([{ syscall: 'connect' }, { syscall: 'write' }]), 'internal-error'],
    [{ code: 'EHOSTUNREACH', syscall: 'write' }, 'internal-error'],
    [{ code: 'ECONNRESET', syscall: 'read' }, 'internal-error'],
    [undefined, 'internal-error'],
  ])('takes a mutation that failed with %o for %s', async (cause, code) => {
    await using broken = await openShop(api.url, {
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
    });
    expect(await broken.post('odd.post', { id: 'x' })).toMatchObject({ body: { code } });
    expect(await broken.post('odd.get', { id: 'x' })).toMatchObject({
      body: { code: 'unavailable' },
    });
  });

  it('stops when its caller leaves', async () => {
    const abort = new AbortController();
    let passed: AbortSignal | null | undefined;
    await using waiting = await openShop(api.url, {
      fetch: async (_, { signal }) => {
        passed = signal;
        abort.abort();
        return new Promise((__, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('left')));
        });
      },
    });
    const leaving = waiting.post('odd.get', { id: 'x' }, {}, abort.signal);
    await expect(leaving).rejects.toThrow('aborted');
    await expect.poll(() => passed?.aborted).toBe(true);
  });
});
