/** What the shop rejects, over HTTP and over MCP: the same problem, whatever the reason. */
import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Problem } from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../test/support/post.ts';
import type { TestShop } from './test-shop.ts';
import { openTestShop, SAMPLE_CAPTURE } from './test-shop.ts';

let shop: TestShop;
let orderId: string;

beforeAll(async () => {
  shop = await openTestShop();
  const placed = await shop.call('orders.archive.place', PLACE);
  orderId = String(placed.body['id']);
  await shop.call('orders.cancel', { order_id: orderId });
});

afterAll(() => shop[Symbol.asyncDispose]());

const PLACE = { project_id: 'prj_reef', captures: [SAMPLE_CAPTURE] };

interface Rejected {
  readonly name: string;
  readonly as?: string;
  readonly args: () => object | Promise<object>;
  readonly status: number;
  readonly code: string;
}

const REJECTED: readonly Rejected[] = [
  {
    name: 'orders.archive.place',
    as: 'ines',
    args: () => ({ ...PLACE, project_id: 'prj_terra' }),
    status: 402,
    code: 'payment-required',
  },
  {
    name: 'billing.topup',
    as: 'ines',
    args: () => ({ credits: 1000 }),
    status: 402,
    code: 'payment-required',
  },
  { name: 'orders.list', as: 'nobody', args: () => ({}), status: 403, code: 'scope-missing' },
  { name: 'orders.list', as: 'stray', args: () => ({}), status: 403, code: 'forbidden' },
  { name: 'orders.get', args: () => ({ order_id: 'ord_none' }), status: 404, code: 'not-found' },
  { name: 'orders.cancel', args: () => ({ order_id: orderId }), status: 409, code: 'conflict' },
  {
    name: 'orders.archive.place',
    args: () => ({ ...PLACE, expected_credits: 1 }),
    status: 409,
    code: 'conflict',
  },
  { name: 'orders.get', args: () => ({ order_id: 7 }), status: 422, code: 'invalid-input' },
  {
    name: 'orders.archive.place',
    args: async () => {
      const idempotency_key = randomUUID();
      await shop.call('orders.archive.place', { ...PLACE, idempotency_key });
      return { ...PLACE, tags: ['x'], idempotency_key };
    },
    status: 422,
    code: 'key-reused',
  },
  {
    name: 'share.link.validate',
    args: async () => {
      const token = `share_${randomUUID().replaceAll('-', '')}`;
      for (let guess = 0; guess < 10; guess += 1) await shop.call('share.link.validate', { token });
      return { token };
    },
    status: 429,
    code: 'rate-limited',
  },
];

async function callOverMcp(name: string, args: object, as: string): Promise<unknown> {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(shop.http.mcpUrl), {
      requestInit: { headers: { authorization: `Bearer ${as}` } },
    }),
  );
  try {
    const result = await client.callTool({ name, arguments: { ...args } });
    expect(result.isError).toBe(true);
    return result._meta?.['dev.plimsoll/problem'];
  } finally {
    await client.close();
  }
}

describe('a rejection', () => {
  it.each(REJECTED)(
    'R212: of $name with $status $code is problem+json, and the same problem over MCP',
    async ({ name, as = 'mara', args, status, code }) => {
      const given = await args();
      const direct = await shop.call(name, given, { as });
      expect([direct.status, direct.headers['content-type']]).toEqual([
        status,
        'application/problem+json',
      ]);
      expect(direct.body).toMatchObject({
        type: `urn:plimsoll:problem:${code}`,
        status,
        code,
        title: expect.any(String),
        detail: expect.any(String),
        remedy: expect.any(String),
      });
      expect(await callOverMcp(name, given, as)).toEqual(direct.body);
    },
  );

  it('R96: a 402 is told by its status on both ways, and says how much is missing', async () => {
    const args = { ...PLACE, project_id: 'prj_terra' };
    const problem = (await callOverMcp('orders.archive.place', args, 'ines')) as Problem;
    expect(problem).toMatchObject({
      status: 402,
      code: 'payment-required',
      detail: 'This costs 240 credits and 0 are available; 240 are missing.',
    });
    const { status, headers } = await shop.call('orders.archive.place', args, { as: 'ines' });
    expect([status, headers['content-type']]).toEqual([402, 'application/problem+json']);
  });

  it.each([
    [undefined, 'unauthenticated'],
    ['mallory', 'token-rejected'],
  ])('R212: of a caller with token %s is a 401 with the problem on both ways', async (as, code) => {
    const direct = await shop.call('orders.list', {}, { as: as ?? null });
    expect([direct.status, direct.headers['content-type']]).toEqual([
      401,
      'application/problem+json',
    ]);
    const params = { name: 'orders.list', arguments: {} };
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const overMcp = await post(shop.http.mcpUrl, request, {
      accept: 'application/json, text/event-stream',
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
    });
    expect(overMcp.status).toBe(401);
    const { error } = JSON.parse(overMcp.text) as { error: { data: Problem } };
    expect([error.data.code, direct.body['code']]).toEqual([code, code]);
  });

  it('R212: of what is no call at all is a problem, too', async () => {
    const bearer = { authorization: 'Bearer mara' };
    const answers = [
      await post(`${shop.http.url}/op/orders.list`, '{', bearer),
      await post(`${shop.http.url}/op/no.such.operation`, '{}', bearer),
      await post(`${shop.http.url}/nowhere`, '{}', bearer),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 404]);
    for (const { headers, text } of answers) {
      expect(headers['content-type']).toBe('application/problem+json');
      expect(JSON.parse(text)).toMatchObject({
        code: expect.any(String),
        detail: expect.any(String),
      });
    }
  });
});

describe('an idempotency key', () => {
  it.each([
    ['of version 4', randomUUID()],
    ['in capitals', randomUUID().toUpperCase()],
    ['of version 7', '018f4e2c-9b1a-7c3d-8e4f-5a6b7c8d9e0f'],
  ])('R214: may be a UUID %s, as a header and as an argument', async (_, key) => {
    const before = shop.store.credits.balance('org_reef').available;
    const first = await shop.call('orders.archive.place', PLACE, { key });
    const second = await shop.call('orders.archive.place', { ...PLACE, idempotency_key: key });
    expect([first.status, second.text]).toEqual([200, first.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(shop.store.credits.balance('org_reef').available).toBe(before - 240);
  });
});
