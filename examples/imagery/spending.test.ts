/** Money over real HTTP: prices that hold, keys that keep their word, and refusals with numbers. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestShop } from './test-shop.ts';
import { deliveredItem, MINUTE, openTestShop, SAMPLE_CAPTURE } from './test-shop.ts';

let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop();
});

afterAll(() => shop[Symbol.asyncDispose]());

const balance = () => shop.store.credits.balance('org_reef');
const PLACE = { project_id: 'prj_reef', captures: [SAMPLE_CAPTURE] };
const TASKING = {
  groups: [
    {
      sensor: 'kestrel-3',
      bbox: [151.1, -33.95, 151.2, -33.85],
      urgency: 'rush',
      window_start: '2026-08-01T00:00:00Z',
      window_end: '2026-08-20T00:00:00Z',
    },
  ],
};

describe('the price', () => {
  it('of an archive order is what its estimate told: set aside, then charged', async () => {
    const before = balance();
    const estimate = await shop.call('orders.archive.estimate', { captures: [SAMPLE_CAPTURE] });
    expect(estimate.body).toMatchObject({ total_credits: 240, total_aud: 2.4, errors: [] });
    expect(balance()).toEqual(before);
    const placed = await shop.call('orders.archive.place', { ...PLACE, expected_credits: 240 });
    expect(placed.body).toMatchObject({ credits: 240, status: 'placed' });
    expect(balance()).toEqual({
      available: before.available - 240,
      reserved: before.reserved + 240,
    });
    shop.pass(MINUTE);
    expect(balance()).toEqual({ available: before.available - 240, reserved: before.reserved });
    expect(await shop.call('orders.get', { order_id: placed.body['id'] })).toMatchObject({
      body: { status: 'delivered' },
    });
  });

  it('of a tasking order is what its estimate told', async () => {
    const estimate = await shop.call('orders.tasking.estimate', TASKING);
    const placed = await shop.call('orders.tasking.place', { project_id: 'prj_reef', ...TASKING });
    expect(placed.status).toBe(200);
    expect(placed.body['credits']).toBe(estimate.body['totalCredits']);
  });

  it('of a process is what its estimate told, and only success is charged', async () => {
    const { itemId } = await deliveredItem(shop);
    const args = { process_id: 'pansharpen', inputs: { item_id: itemId } };
    const estimate = await shop.call('processing.catalog.estimate', args);
    const before = balance();
    const job = await shop.call('processing.execute', { ...args, workspaceId: 'prj_reef' });
    expect(job.body['credits']).toBe(estimate.body['total_credits']);
    shop.pass(MINUTE);
    expect(balance().available).toBe(before.available - Number(estimate.body['total_credits']));
  });

  it('that was shown is the price, or nothing happens', async () => {
    const before = balance();
    expect(
      await shop.call('orders.archive.place', { ...PLACE, expected_credits: 239 }),
    ).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('240 credits, not 239') },
    });
    expect(balance()).toEqual(before);
  });

  it('is told for what can be bought, and half a wish is not sold', async () => {
    const captures = [
      SAMPLE_CAPTURE,
      { id: 'scn_nowhere' },
      { ...SAMPLE_CAPTURE, bbox: [0, 0, 1, 1] },
    ];
    const estimate = await shop.call('orders.archive.estimate', { captures });
    expect(estimate.body).toMatchObject({
      total_credits: 240,
      errors: [{ index: 1 }, { index: 2 }],
    });
    const placed = await shop.call('orders.archive.place', { ...PLACE, captures });
    expect(placed).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/captures/1' }, { pointer: '/captures/2' }] },
    });
  });
});

describe('a key', () => {
  it('R100 R101 R104: sent again as a header gives the first answer and moves nothing', async () => {
    const key = randomUUID();
    const first = await shop.call('orders.archive.place', PLACE, { key });
    const between = balance();
    const second = await shop.call('orders.archive.place', PLACE, { key });
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(balance()).toEqual(between);
  });

  it('R105 R201: works as an argument, for clients that can set no header', async () => {
    const args = { ...PLACE, idempotency_key: randomUUID() };
    const first = await shop.call('orders.archive.place', args);
    expect((await shop.call('orders.archive.place', args)).text).toBe(first.text);
  });

  it('R102: that is new is a new charge', async () => {
    const before = balance().available;
    await shop.call('orders.archive.place', PLACE, { key: randomUUID() });
    await shop.call('orders.archive.place', PLACE, { key: randomUUID() });
    expect(balance().available).toBe(before - 480);
  });

  it('R199: the first answer is kept, though the order has changed since', async () => {
    const key = randomUUID();
    const first = await shop.call('orders.archive.place', PLACE, { key });
    shop.pass(MINUTE);
    const second = await shop.call('orders.archive.place', PLACE, { key });
    expect(second.body).toEqual(first.body);
    expect(second.body['status']).toBe('placed');
  });

  it('of one order is refused for another', async () => {
    const key = randomUUID();
    await shop.call('orders.archive.place', PLACE, { key });
    const other = await shop.call('orders.archive.place', { ...PLACE, tags: ['x'] }, { key });
    expect(other.body['code']).toBe('key-reused');
  });

  it('charges a card once, whatever the processor does', async () => {
    for (const payment_method of ['card_ok', 'card_slow', 'card_reset_after', 'card_500_after']) {
      const [charges, before, key] = [await shop.charges(), balance().available, randomUUID()];
      const args = { credits: 1000, payment_method };
      const first = await shop.call('billing.topup', args, { key });
      const second = await shop.call('billing.topup', args, { key });
      expect([payment_method, first.status, second.text]).toEqual([
        payment_method,
        200,
        first.text,
      ]);
      expect(await shop.charges()).toBe(charges + 1);
      expect(balance().available).toBe(before + 1000);
    }
  });

  it('of a top-up in doubt is kept, and can be sent again', async () => {
    const [before, key] = [balance().available, randomUUID()];
    const args = { credits: 1000, payment_method: 'card_500_before' };
    for (const _ of [1, 2]) {
      expect(await shop.call('billing.topup', args, { key })).toMatchObject({
        status: 503,
        body: { code: 'retry-same-key' },
      });
    }
    expect(balance().available).toBe(before);
    expect(shop.reports.at(-1)).toContain('may or may not have been charged');
  });

  it('of a cancellation gives the same answer; another key finds the order closed', async () => {
    const { body } = await shop.call('orders.archive.place', PLACE);
    const [args, key] = [{ order_id: body['id'] }, randomUUID()];
    const before = balance().available;
    expect((await shop.call('orders.cancel', args, { key })).body).toEqual({
      orderId: body['id'],
      status: 'cancelled',
    });
    expect((await shop.call('orders.cancel', args, { key })).status).toBe(200);
    expect((await shop.call('orders.cancel', args)).body).toMatchObject({ code: 'conflict' });
    expect(balance().available).toBe(before + 240);
  });
});

describe('payment trouble', () => {
  it('R96: an empty balance is a 402 problem with the numbers in it', async () => {
    const args = { project_id: 'prj_terra', captures: [SAMPLE_CAPTURE] };
    const answer = await shop.call('orders.archive.place', args, { as: 'ines' });
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer).toMatchObject({
      status: 402,
      body: {
        code: 'payment-required',
        status: 402,
        detail: 'This costs 240 credits and 0 are available; 240 are missing.',
      },
    });
  });

  it('R96 R200: a declined card is a 402, which no other refusal is', async () => {
    const declined = await shop.call('billing.topup', { credits: 1000 }, { as: 'ines' });
    expect(declined).toMatchObject({ status: 402, body: { code: 'payment-required' } });
    const others = [
      await shop.call('billing.topup', { credits: 1000 }, { as: 'nobody' }),
      await shop.call('billing.topup', { credits: 1 }),
      await shop.call('orders.get', { order_id: 'ord_none' }),
    ];
    expect(others.map(({ status }) => status)).toEqual([403, 422, 404]);
    expect(others.map(({ body }) => body['code'])).not.toContain('payment-required');
  });
});

describe('four eyes', () => {
  it('charge once for a request, and nobody approves their own', async () => {
    const { body } = await shop.call('billing.approvals.request', { credits: 700 });
    const args = { approval_id: body['id'] };
    expect((await shop.call('billing.approvals.approve', args)).status).toBe(403);
    const [charges, before] = [await shop.charges(), balance().available];
    for (const _ of [1, 2]) {
      expect((await shop.call('billing.approvals.approve', args, { as: 'tomas' })).status).toBe(
        200,
      );
    }
    expect(await shop.charges()).toBe(charges + 1);
    expect(balance().available).toBe(before + 700);
    expect((await shop.call('billing.approvals.reject', args)).body['code']).toBe('conflict');
  });

  it('let a request expire', async () => {
    const { body } = await shop.call('billing.approvals.request', {
      credits: 700,
      expiry_hours: 1,
    });
    shop.pass(61 * MINUTE);
    const args = { approval_id: body['id'] };
    expect(
      (await shop.call('billing.approvals.approve', args, { as: 'tomas' })).body,
    ).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('expired'),
    });
  });
});
