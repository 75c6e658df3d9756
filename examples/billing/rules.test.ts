/** What the seed and the documentation say of billing, on the running server. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifySignature } from './signature.ts';
import type { Json, TestBilling } from './test-billing.ts';
import {
  ADDRESS,
  captureCard,
  changeCard,
  DAY,
  openTestBilling,
  readBooks,
  someone,
} from './test-billing.ts';

let billing: TestBilling;

beforeAll(async () => {
  billing = await openTestBilling();
});

afterAll(() => billing[Symbol.asyncDispose]());

type Thing = Json & { id: string };

async function ok(name: string, args: object = {}, options = {}): Promise<Thing> {
  const { status, body } = await billing.call(name, args, options);
  expect({ name, status, body }).toMatchObject({ status: 200 });
  return body as Thing;
}

async function subscribed(card = 'card_visa') {
  const token = await captureCard(billing.processor.url, card);
  const [plan] = (await ok('list_plans', { active: true }))['data'] as Thing[];
  const made = await ok('create_customer_and_subscribe', {
    ...someone(),
    shipping: ADDRESS,
    card_token: token,
    plan_id: plan?.id,
    billing_cycle: { interval: 'month', interval_count: 1 },
  });
  return {
    token,
    customer: made['customer'] as Thing,
    subscription: made['subscription'] as Thing,
  };
}

describe('cancelling', () => {
  it('R52: cancelling what is cancelled does no harm, with or without a key', async () => {
    const { subscription } = await subscribed();
    const first = await ok('cancel_subscription', { id: subscription.id });
    for (const key of [null, randomUUID()]) {
      expect(await ok('cancel_subscription', { id: subscription.id }, { key })).toEqual(first);
    }
  });

  it('R88: after a cancel at period end, access lasts until that period is over', async () => {
    const { subscription } = await subscribed();
    const leaving = await ok('cancel_subscription', { id: subscription.id, at_period_end: true });
    expect(leaving).toMatchObject({ status: 'active', has_access: true });
    const end = Date.parse(String(leaving['access_until']));
    await billing.pass(end - billing.now().getTime() - 1000);
    expect(await ok('get_subscription', { id: subscription.id })).toMatchObject({
      has_access: true,
    });
    await billing.pass(2000);
    expect(await ok('get_subscription', { id: subscription.id })).toMatchObject({
      status: 'canceled',
      has_access: false,
      cycles_completed: 1,
    });
  });

  it('R227: the caller chooses between at once and the end of the period', async () => {
    const { subscription } = await subscribed();
    const later = await ok('cancel_subscription', { id: subscription.id, at_period_end: true });
    expect(later).toMatchObject({ status: 'active', cancel_at_period_end: true });
    const now = await ok('cancel_subscription', { id: subscription.id, at_period_end: false });
    expect(now).toMatchObject({ status: 'canceled', has_access: false });
  });
});

describe('repeating', () => {
  it('refuses a key with another body, also after a decline has given it back', async () => {
    const token = () => captureCard(billing.processor.url, 'card_visa_declined');
    const { customer } = await subscribed();
    const card = await ok('add_payment_method', {
      customer_id: customer.id,
      card_token: await token(),
    });
    const product = await ok('create_product', {
      name: 'Filter',
      description: 'Paper.',
      pricing: { amount: 300, currency: 'usd' },
      requires_shipping: false,
      sku: `filter-${randomUUID().slice(0, 8)}`,
    });
    const key = randomUUID();
    const order = (quantity: number) => ({
      customer_id: customer.id,
      payment_method_id: card.id,
      items: [{ product_id: product.id, quantity }],
    });
    expect((await billing.call('create_order', order(1), { key })).status).toBe(402);
    expect((await billing.call('create_order', order(1), { key })).status).toBe(402);
    expect((await billing.call('create_order', order(2), { key })).status).toBe(422);
    const failed = (await ok('list_orders', { customer_id: customer.id, status: 'failed' }))[
      'data'
    ];
    expect(failed).toHaveLength(1);
  });

  it('charges once when the line to the processor breaks, and gives the same answer again', async () => {
    for (const card of ['card_reset_after', 'card_500_after', 'card_slow']) {
      const { customer } = await subscribed(card);
      const books = await readBooks(billing.processor.url);
      const of = (await ok('list_transactions', { customer_id: customer.id }))['data'] as Thing[];
      expect(of).toMatchObject([{ status: 'succeeded', type: 'sale' }]);
      expect(books.charges.filter(({ key }) => key === of[0]?.id)).toHaveLength(1);
    }
  });

  it('gives up what never reached the bank, so that it cannot happen later', async () => {
    const token = await captureCard(billing.processor.url, 'card_500_before');
    const { customer } = await subscribed();
    const card = await ok('add_payment_method', { customer_id: customer.id, card_token: token });
    const [plan] = (await ok('list_plans', { active: true }))['data'] as Thing[];
    const args = {
      customer_id: customer.id,
      plan_id: plan?.id,
      payment_method_id: card.id,
      billing_cycle: { interval: 'month', interval_count: 1 },
    };
    const key = randomUUID();
    expect((await billing.call('create_subscription', args, { key })).body['code']).toBe(
      'retry-same-key',
    );
    await billing.pass(60_000);
    await changeCard(billing.processor.url, token, 'card_visa');
    expect(await ok('create_subscription', args, { key })).toMatchObject({ status: 'failed' });
    const [first] = (await ok('list_transactions', { customer_id: customer.id }))[
      'data'
    ] as Thing[];
    expect(first).toMatchObject({ status: 'failed', failure_code: 'interrupted' });
  });
});

describe('a refund that the bank refuses', () => {
  it('leaves the subscription cancelled and says so; retry_order gives the money back', async () => {
    const { token, subscription } = await subscribed('card_no_refunds');
    const half = await ok('refund_and_cancel', { subscription_id: subscription.id });
    expect(half).toMatchObject({
      success: false,
      status: 'canceled_refund_pending',
      refund_status: 'failed',
    });
    await changeCard(billing.processor.url, token, 'card_visa');
    const done = await ok('retry_order', { order_id: half['order_id_pending_refund'] });
    expect(done).toMatchObject({ order: { status: 'refunded' }, transaction: { type: 'refund' } });
    const acts = billing.receipts.filter(({ operation }) => operation === 'retry_order');
    expect(acts.at(-1)?.act).toBe('refund');
  });
});

describe('dunning', () => {
  it('tries a declined renewal again on four days, and then it has failed', async () => {
    const { token, subscription } = await subscribed();
    await changeCard(billing.processor.url, token, 'card_visa_declined');
    const state = async () => {
      const { status, attempt_count } = await ok('get_subscription', { id: subscription.id });
      return [status, attempt_count];
    };
    await billing.pass(31 * DAY);
    expect(await state()).toEqual(['past_due', 1]);
    for (const [days, status, count] of [
      [1, 'past_due', 2],
      [3, 'past_due', 3],
      [5, 'past_due', 4],
      [7, 'failed', 5],
    ] as const) {
      await billing.pass(days * DAY);
      expect(await state()).toEqual([status, count]);
    }
  });
});

describe('accounts', () => {
  it('are told apart by the prefix of the key alone, and share nothing', async () => {
    const { customer } = await subscribed();
    expect((await billing.call('ping', {}, { as: billing.keys.live })).body['environment']).toBe(
      'live',
    );
    const other = await billing.call(
      'get_customer',
      { id: customer.id },
      { as: billing.keys.live },
    );
    expect(other.status).toBe(404);
    const swapped = billing.keys.test.replace('epd_test_', 'epd_live_');
    expect((await billing.call('ping', {}, { as: swapped })).status).toBe(401);
    expect((await billing.call('ping', {}, { as: null })).status).toBe(401);
    expect((await billing.call('ping', {}, { as: billing.keys.restricted })).status).toBe(403);
  });
});

describe('two tools at once on one subscription', () => {
  it('lose no update, 1,000 times', async () => {
    const { subscription } = await subscribed();
    const before = Number((await ok('get_subscription', { id: subscription.id }))['revision']);
    for (let round = 0; round < 1000; round += 50) {
      const both = Array.from({ length: 50 }, (_, index) => [
        billing.call('update_subscription', {
          id: subscription.id,
          shipping_option_id: `o${round + index}`,
        }),
        billing.call('update_subscription', {
          id: subscription.id,
          pricing_tiers: [{ name: `fee ${round + index}`, amount: 100 }],
        }),
      ]).flat();
      const answers = await Promise.all(both);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    }
    const after = await ok('get_subscription', { id: subscription.id });
    expect(after['revision']).toBe(before + 2000);
    expect(after['shipping_option_id']).toBe('o999');
    expect(after['pricing_tiers']).toEqual([{ name: 'fee 999', amount: 100 }]);
    const race = await Promise.all([
      billing.call('cancel_subscription', { id: subscription.id }),
      billing.call('update_subscription', { id: subscription.id, shipping_option_id: 'last' }),
    ]);
    expect(race[0]?.status).toBe(200);
    const end = await ok('get_subscription', { id: subscription.id });
    expect(end['status']).toBe('canceled');
    expect(end['shipping_option_id']).toBe(race[1]?.status === 200 ? 'last' : 'o999');
  }, 60_000);
});

describe('webhooks', () => {
  it('are signed, tried again after a failure, and never show the secret again', async () => {
    const heard: { body: string; header: string }[] = [];
    let fails = 1;
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.once('end', () => {
        heard.push({ body, header: String(request.headers['epd-signature']) });
        fails -= 1;
        response.writeHead(fails >= 0 ? 500 : 200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const key = randomUUID();
    const args = { url, enabled_events: ['customer.created'] };
    const endpoint = await ok('create_webhook_endpoint', args, { key });
    const again = await ok('create_webhook_endpoint', args, { key });
    expect(JSON.stringify(again)).not.toContain(String(endpoint['signing_secret']));
    await ok('create_customer', someone());
    await billing.pass(1000);
    await billing.pass(61_000);
    server.close();
    expect(heard).toHaveLength(2);
    for (const { body, header } of heard) {
      expect(JSON.parse(body)).toMatchObject({ type: 'customer.created', environment: 'test' });
      expect(verifySignature(String(endpoint['signing_secret']), header, body, billing.now())).toBe(
        true,
      );
    }
    const [log] = (await ok('list_webhook_delivery_logs', { id: endpoint.id }))['data'] as Thing[];
    expect(log).toMatchObject({ status: 'delivered', attempts: 2, last_status: 200 });
    const secretKept = billing.receipts.some((one) =>
      JSON.stringify(one).includes(String(endpoint['signing_secret'])),
    );
    expect(secretKept).toBe(false);
  });

  it('go to no address inside a network, and their calls are recorded as open world', async () => {
    const inside = { url: 'https://10.0.0.7/', enabled_events: ['*'] };
    expect((await billing.call('create_webhook_endpoint', inside)).status).toBe(422);
    const endpoint = await ok('create_webhook_endpoint', {
      url: 'https://localhost:9/',
      enabled_events: ['*'],
    });
    const told = await ok('test_webhook_endpoint', { id: endpoint.id });
    expect(told['status']).toBe('failed');
    const out = billing.receipts
      .filter(({ openWorld }) => openWorld)
      .map(({ operation }) => operation);
    expect(new Set(out)).toEqual(new Set(['test_webhook_endpoint']));
  });
});

describe('lists', () => {
  it('page forward and back by cursor, and embed relations', async () => {
    const names = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        ok('create_coupon', { name: `Page ${index}`, percentage: 5 }),
      ),
    );
    expect(names).toHaveLength(5);
    const first = await ok('list_coupons', { limit: 2 });
    const cursors = first['cursors'] as { next: string };
    const second = await ok('list_coupons', { limit: 2, starting_after: cursors.next });
    const back = await ok('list_coupons', {
      limit: 2,
      ending_before: (second['data'] as Thing[])[0]?.id,
    });
    expect((back['data'] as Thing[]).map(({ id }) => id)).toEqual(
      (first['data'] as Thing[]).map(({ id }) => id),
    );
    expect((await billing.call('list_coupons', { starting_after: 'nobody' })).status).toBe(422);
    const { customer } = await subscribed();
    const shown = await ok('get_customer', {
      id: customer.id,
      expand: 'payment_methods, subscriptions',
    });
    expect(shown).toMatchObject({
      payment_methods: [{ brand: 'visa' }],
      subscriptions: [{ status: 'active' }],
    });
    expect(
      (await billing.call('get_customer', { id: customer.id, expand: 'secrets' })).status,
    ).toBe(422);
  });
});

describe('limits', () => {
  it('are three, and the one that is full says for how long', async () => {
    await using limited = await openTestBilling({
      buckets: [
        { name: 'route', most: 100, perMs: 60_000 },
        { name: 'data', most: 60, perMs: 60_000 },
        { name: 'global', most: 70, perMs: 3_600_000 },
      ],
    });
    const statuses = async (times: number) => {
      const all = await Promise.all(Array.from({ length: times }, () => limited.call('ping')));
      return all.filter(({ status }) => status === 200).length;
    };
    expect(await statuses(61)).toBe(60);
    const full = await limited.call('ping');
    expect(full).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(full.body['detail']).toContain('rate_limit_exceeded');
    await limited.pass(61_000);
    expect(await statuses(20)).toBeLessThan(20);
    expect((await limited.call('ping')).body['detail']).toContain('global_rate_limit_exceeded');
  });
});
