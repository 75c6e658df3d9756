/** What must not be possible: money taken or given back twice, limits passed, periods that cost the wrong amount. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, TestBilling } from './test-billing.ts';
import { ADDRESS, captureCard, changeCard, DAY, openTestBilling, someone } from './test-billing.ts';

let billing: TestBilling;

beforeAll(async () => {
  billing = await openTestBilling({ start: '2026-01-31T09:00:00Z' });
});

afterAll(() => billing[Symbol.asyncDispose]());

type Thing = Json & { id: string };

async function ok(name: string, args: object = {}, options = {}): Promise<Thing> {
  const { status, body } = await billing.call(name, args, options);
  expect({ name, status, body }).toMatchObject({ status: 200 });
  return body as Thing;
}

const list = (body: Json) => body['data'] as Thing[];

async function shopper(card = 'card_visa') {
  const customer = await ok('create_customer', { ...someone(), shipping: ADDRESS });
  const token = await captureCard(billing.processor.url, card);
  const method = await ok('add_payment_method', { customer_id: customer.id, card_token: token });
  return { customer, method, token };
}

async function product(amount = 1000, currency = 'usd') {
  return ok('create_product', {
    name: 'Beans',
    description: 'Freshly roasted.',
    pricing: { amount, currency },
    requires_shipping: false,
    sku: `beans-${randomUUID().slice(0, 8)}`,
  });
}

async function subscribed(cycle: object = {}, more: object = {}, card = 'card_visa') {
  const { customer, method, token } = await shopper(card);
  const plans = list(await ok('list_plans', { active: true, sort: 'amount[asc]' }));
  const sub = await ok('create_subscription', {
    customer_id: customer.id,
    payment_method_id: method.id,
    plan_id: plans[0]?.id,
    billing_cycle: { interval: 'month', interval_count: 1, ...cycle },
    ...more,
  });
  const orders = async () =>
    list(
      await ok('list_orders', { customer_id: customer.id, limit: 100, sort: 'created_at[asc]' }),
    );
  return { customer, method, token, sub, orders };
}

async function coupon(terms: object) {
  const name = `CUT-${randomUUID().slice(0, 8)}`.toUpperCase();
  const made = await ok('create_coupon', { kind: 'promo', name, ...terms });
  return { id: made.id, code: name };
}

describe('periods', () => {
  it('costs a whole period at the end of a short month, and goes back to the 31st', async () => {
    const plain = await subscribed();
    const anchored = await subscribed({ anchor_day: 31 });
    for (let month = 0; month < 3; month += 1) await billing.pass(31 * DAY);
    for (const { sub, orders } of [plain, anchored]) {
      expect((await orders()).map(({ amount }) => amount)).toEqual([3000, 3000, 3000, 3000]);
      expect(await ok('get_subscription', { id: sub.id })).toMatchObject({
        current_period_start: '2026-04-30T09:00:00.000Z',
        current_period_end: '2026-05-31T09:00:00.000Z',
      });
    }
  });

  it('charges nothing twice when the clock goes back', async () => {
    const { orders, sub } = await subscribed();
    await billing.pass(40 * DAY);
    const before = await orders();
    await billing.pass(-40 * DAY);
    await billing.pass(40 * DAY);
    expect(await orders()).toEqual(before);
    expect(await ok('get_subscription', { id: sub.id })).toMatchObject({ cycles_completed: 2 });
  });

  it('revives a subscription that failed only within its period, and never charges the time between', async () => {
    const { token, sub, orders } = await subscribed();
    await changeCard(billing.processor.url, token, 'card_visa_declined');
    await billing.pass(32 * DAY);
    for (const days of [1, 3, 5, 7]) await billing.pass(days * DAY);
    expect(await ok('get_subscription', { id: sub.id })).toMatchObject({ status: 'failed' });
    await changeCard(billing.processor.url, token, 'card_visa');
    await billing.pass(150 * DAY);
    const late = (await orders()).at(-1);
    const retried = await billing.call('retry_order', { order_id: late?.id });
    expect(retried).toMatchObject({ status: 409 });
    await billing.pass(DAY);
    expect(await orders()).toHaveLength(2);
  });

  it('does not charge for a cycle of a subscription that was cancelled', async () => {
    const { token, sub, orders } = await subscribed();
    await changeCard(billing.processor.url, token, 'card_visa_declined');
    await billing.pass(32 * DAY);
    await ok('cancel_subscription', { id: sub.id });
    await changeCard(billing.processor.url, token, 'card_visa');
    const unpaid = (await orders()).at(-1);
    expect(await billing.call('retry_order', { order_id: unpaid?.id })).toMatchObject({
      status: 409,
    });
    expect((await orders()).at(-1)).toMatchObject({ status: 'failed' });
  });

  it('gives nothing back for an unused time that was not paid, and nothing twice', async () => {
    const late = await subscribed();
    await changeCard(billing.processor.url, late.token, 'card_visa_declined');
    await billing.pass(32 * DAY);
    expect(await ok('get_subscription', { id: late.sub.id })).toMatchObject({ status: 'past_due' });
    const args = { subscription_id: late.sub.id, refund: 'unused' };
    expect(await ok('refund_and_cancel', args)).toMatchObject({
      status: 'canceled_nothing_to_refund',
    });
    const early = await subscribed();
    await billing.pass(10 * DAY);
    const again = { subscription_id: early.sub.id, refund: 'unused' };
    const first = await ok('refund_and_cancel', again);
    expect(first).toMatchObject({ status: 'canceled_and_refunded' });
    expect(await ok('refund_and_cancel', again)).toMatchObject({
      status: 'canceled_nothing_to_refund',
    });
  });
});

describe('keys', () => {
  it('belong to one tool: the same one with another tool is another intention', async () => {
    const { id } = await coupon({ percentage: 10 });
    const key = randomUUID();
    expect(await ok('archive_coupon', { id }, { key })).toMatchObject({ archived: true });
    expect(await ok('unarchive_coupon', { id }, { key })).toMatchObject({ archived: false });
  });
});

describe('coupons', () => {
  const buy = async (code: string, who: { customer: Thing; method: Thing }, item: Thing) =>
    billing.call('create_order', {
      customer_id: who.customer.id,
      payment_method_id: who.method.id,
      items: [{ product_id: item.id, quantity: 1 }],
      coupon_code: code,
    });

  it('keeps its limit when 40 orders come at once', async () => {
    const { id, code } = await coupon({ percentage: 50, max_redemptions: 7 });
    const item = await product();
    const who = await shopper();
    const answers = await Promise.all(Array.from({ length: 40 }, () => buy(code, who, item)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(await ok('retrieve_coupon', { id })).toMatchObject({ redemption_count: 7 });
  });

  it.each(['retry_order', 'retry_failed_charge'])(
    'counts again for %s, and is refused when it was used up meanwhile',
    async (tool) => {
      const item = await product();
      const [poor, rich] = [await shopper('card_visa_declined'), await shopper()];
      const { id, code } = await coupon({ percentage: 50, max_redemptions: 1 });
      expect((await buy(code, poor, item)).status).toBe(402);
      expect((await buy(code, rich, item)).status).toBe(200);
      await changeCard(billing.processor.url, poor.token, 'card_visa');
      const [failed] = list(await ok('list_transactions', { customer_id: poor.customer.id }));
      const args =
        tool === 'retry_order'
          ? { order_id: failed?.['order_id'] }
          : { transaction_id: failed?.id };
      const again = await billing.call(tool, args);
      expect(again.status).toBe(409);
      expect(again.body['detail']).toContain('used_up');
      expect(await ok('retrieve_coupon', { id })).toMatchObject({ redemption_count: 1 });
    },
  );

  it('is counted for an order that is bought again', async () => {
    const poor = await shopper('card_visa_declined');
    const { id, code } = await coupon({ percentage: 50, max_redemptions: 1 });
    expect((await buy(code, poor, await product())).status).toBe(402);
    await changeCard(billing.processor.url, poor.token, 'card_visa');
    const [failed] = list(await ok('list_transactions', { customer_id: poor.customer.id }));
    const again = await ok('retry_failed_charge', { transaction_id: failed?.id });
    expect(again['new_order']).toMatchObject({ amount: 500, status: 'succeeded' });
    expect(await ok('retrieve_coupon', { id })).toMatchObject({ redemption_count: 1 });
  });

  it('is for first purchases only, also when two come at once or the first one was free', async () => {
    const item = await product();
    const free = await coupon({ percentage: 100, first_time_customer_only: true });
    const who = await shopper();
    expect((await buy(free.code, who, item)).status).toBe(200);
    expect((await buy(free.code, who, item)).status).toBe(422);
    const half = await coupon({ percentage: 50, first_time_customer_only: true });
    const other = await shopper();
    const both = await Promise.all([buy(half.code, other, item), buy(half.code, other, item)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('of another currency is refused for a plan', async () => {
    const { code } = await coupon({ amount: 2900, currency: 'EUR' });
    const { customer, method } = await shopper();
    const plans = list(await ok('list_plans', { active: true }));
    const refused = await billing.call('create_subscription', {
      customer_id: customer.id,
      payment_method_id: method.id,
      plan_id: plans[0]?.id,
      billing_cycle: { interval: 'month', interval_count: 1 },
      coupon_code: code,
    });
    expect(refused.status).toBe(422);
    expect(refused.body['detail']).toContain('other_currency');
  });
});

describe('currencies', () => {
  it('are never added up', async () => {
    const { sub } = await subscribed();
    const euros = await product(5000, 'eur');
    const lines = [{ product_id: euros.id, quantity: 1 }];
    const mixed = await billing.call('update_subscription', { id: sub.id, products: lines });
    expect(mixed.status).toBe(422);
    const { customer, method } = await shopper();
    for (const item of [euros, await product(1000)]) {
      await ok('process_order', {
        customer_id: customer.id,
        payment_method_id: method.id,
        items: [{ product_id: item.id, quantity: 1 }],
        currency: (item['pricing'] as Json)['currency'],
      });
    }
    const of = { customer_id: customer.id };
    expect(await ok('get_customer_financial_summary', of)).toMatchObject({
      currency: 'usd',
      paid_cents: 1000,
      other_currencies: [{ currency: 'eur', paid_cents: 5000, net_cents: 5000 }],
    });
  });
});

describe('a subscription', () => {
  it('that would end before it begins is refused, and nothing is charged', async () => {
    const { customer, method } = await shopper();
    const plans = list(await ok('list_plans', { active: true, sort: 'amount[asc]' }));
    const start = new Date(billing.now().getTime() + 10 * DAY).toISOString().slice(0, 10);
    for (const end_date of [start, billing.now().toISOString().slice(0, 10)]) {
      const refused = await billing.call('create_subscription', {
        customer_id: customer.id,
        payment_method_id: method.id,
        plan_id: plans[0]?.id,
        billing_cycle: { interval: 'month', interval_count: 1 },
        start_date: start,
        end_date,
      });
      expect(refused.status).toBe(422);
      expect(JSON.stringify(refused.body)).toContain('It must be after the first day.');
    }
    expect(list(await ok('list_transactions', { customer_id: customer.id }))).toEqual([]);
  });
});

describe('charges', () => {
  it('are not made for a total above what the processor takes', async () => {
    const { customer, method } = await shopper();
    const dear = await product(999_999);
    for (const name of ['create_order', 'process_order']) {
      const refused = await billing.call(name, {
        customer_id: customer.id,
        payment_method_id: method.id,
        items: [{ product_id: dear.id, quantity: 9999 }],
      });
      expect(refused.status).toBe(422);
      expect(JSON.stringify(refused.body)).toContain('Together it is above 99999999 cents.');
    }
    expect(list(await ok('list_transactions', { customer_id: customer.id }))).toEqual([]);
  });

  it('are not made again for an order that was paid meanwhile', async () => {
    const { customer, method, token } = await shopper('card_visa_declined');
    const args = {
      customer_id: customer.id,
      payment_method_id: method.id,
      items: [{ product_id: (await product()).id, quantity: 1 }],
    };
    expect((await billing.call('create_order', args)).status).toBe(402);
    const [failed] = list(await ok('list_transactions', { customer_id: customer.id }));
    await changeCard(billing.processor.url, token, 'card_visa');
    await ok('retry_order', { order_id: failed?.['order_id'] });
    const again = await billing.call('retry_failed_charge', { transaction_id: failed?.id });
    expect(again.status).toBe(409);
    expect(await ok('get_customer_financial_summary', { customer_id: customer.id })).toMatchObject({
      paid_cents: 1000,
    });
  });

  it('are not made for the old order after it was bought again', async () => {
    const { customer, method, token } = await shopper('card_visa_declined');
    const args = {
      customer_id: customer.id,
      payment_method_id: method.id,
      items: [{ product_id: (await product()).id, quantity: 1 }],
    };
    expect((await billing.call('create_order', args)).status).toBe(402);
    const [failed] = list(await ok('list_transactions', { customer_id: customer.id }));
    await changeCard(billing.processor.url, token, 'card_visa');
    await ok('retry_failed_charge', { transaction_id: failed?.id });
    const old = await billing.call('retry_order', { order_id: failed?.['order_id'] });
    expect(old.status).toBe(409);
  });

  it('keep the id of the card at the processor inside, also in events', async () => {
    await subscribed();
    const hook = await ok('create_webhook_endpoint', {
      url: 'https://hooks.harbour.example/x',
      enabled_events: ['*'],
    });
    const events = JSON.stringify(await ok('list_webhook_events', { id: hook.id, limit: 100 }));
    expect(events).toContain('order.succeeded');
    expect(events).not.toMatch(/crd_|code_id/);
  });
});

describe('refunds', () => {
  it('never exceed what was paid, with 30 parts at once', async () => {
    const { customer, method } = await shopper();
    const order = await ok('create_order', {
      customer_id: customer.id,
      payment_method_id: method.id,
      items: [{ product_id: (await product(1001)).id, quantity: 1 }],
    });
    const parts = await Promise.all(
      Array.from({ length: 30 }, () =>
        billing.call('refund_order', { order_id: order.id, amount: 100 }),
      ),
    );
    expect(parts.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(await ok('get_order', { id: order.id })).toMatchObject({ refunded: 1000 });
  });

  it('that are refused are told as such', async () => {
    const { customer, method } = await shopper('card_no_refunds');
    const order = await ok('create_order', {
      customer_id: customer.id,
      payment_method_id: method.id,
      items: [{ product_id: (await product()).id, quantity: 1 }],
    });
    const refused = await billing.call('refund_order', { order_id: order.id });
    expect(refused.body['detail']).not.toContain('not charged');
    expect(refused.body['detail']).toContain('Nothing was given back');
  });
});

describe('a new customer whose charge nobody finished', () => {
  it.each(['create_customer_and_charge', 'create_customer_and_subscribe'])(
    'is removed again by the worker after %s was interrupted',
    async (tool) => {
      const person = someone();
      const plans = list(await ok('list_plans', { active: true }));
      const what =
        tool === 'create_customer_and_charge'
          ? { items: [{ product_id: (await product()).id, quantity: 1 }] }
          : { plan_id: plans[0]?.id, billing_cycle: { interval: 'month', interval_count: 1 } };
      const card_token = await captureCard(billing.processor.url, 'card_500_before');
      const lost = await billing.call(tool, { ...person, card_token, ...what });
      expect(lost.body['code']).toBe('retry-same-key');
      await billing.pass(60_000);
      expect(list(await ok('list_customers', { email: person.email }))).toEqual([]);
      const now = { ...person, card_token: await captureCard(billing.processor.url), ...what };
      await ok(tool, now);
    },
  );
});
