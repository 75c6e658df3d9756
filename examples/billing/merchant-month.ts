/**
 * A merchant's month for tests: sign-ups, renewals, a decline and its retry, refunds, a cancellation at the end of
 * the period, an upgrade of the API version. It calls every tool, whatever stands between it and the server.
 */
import { strict as assert } from 'node:assert';
import { ADDRESS, captureCard, changeCard, someone } from './test-billing.ts';
import type { Json } from './test-billing.ts';

export interface Merchant {
  /** Sends the call until it is answered; `key` is the same every time. */
  call(name: string, args: object, key: string): Promise<{ status: number; body: Json }>;
  pass(days: number): Promise<void>;
  readonly processorUrl: string;
  readonly hookUrl: string;
  /** Before each step; where a test kills the server. */
  step?(): Promise<void>;
}

export interface MonthResult {
  readonly called: ReadonlySet<string>;
  /** In cents, as the answers said. */
  readonly sales: number;
  readonly refunds: number;
  /** The part of the sales that nobody called for. */
  readonly renewals: number;
  /** By tool, the cents of each call that moved money. */
  readonly paid: ReadonlyMap<string, readonly number[]>;
}

type Thing = Json & { id: string };

export async function runMonth(merchant: Merchant, seed: string): Promise<MonthResult> {
  const called = new Set<string>();
  const paid = new Map<string, number[]>();
  let [sales, refunds, renewals, number] = [0, 0, 0, 0];

  const ask = async (name: string, args: object = {}) => {
    await merchant.step?.();
    called.add(name);
    number += 1;
    return merchant.call(name, args, `month-${seed}-${String(number).padStart(4, '0')}`);
  };
  const run = async (name: string, args: object = {}): Promise<Json> => {
    const { status, body } = await ask(name, args);
    assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`);
    return body;
  };
  const refused = async (status: number, name: string, args: object): Promise<Json> => {
    const answer = await ask(name, args);
    assert.equal(answer.status, status, `${name}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const make = async (name: string, args: object = {}) => (await run(name, args)) as Thing;
  const part = (body: Json, name: string) => body[name] as Thing;
  const list = (body: Json) => body['data'] as Thing[];
  const sell = (name: string, cents: unknown, expected: number): void => {
    assert.equal(cents, expected, name);
    sales += expected;
    paid.set(name, [...(paid.get(name) ?? []), expected]);
  };
  const give = (name: string, cents: unknown, expected: number): void => {
    assert.equal(cents, expected, name);
    refunds += expected;
    paid.set(name, [...(paid.get(name) ?? []), expected]);
  };
  const card = (kind?: string) => captureCard(merchant.processorUrl, kind);
  const monthly = { interval: 'month', interval_count: 1 };

  // The shop is looked over and stocked.
  assert.equal((await run('ping'))['is_sandbox'], true);
  await run('get_account');
  const plans = list(await run('list_plans', { active: true, sort: 'amount[asc]' }));
  const plan = await make('get_plan', { id: plans[0]?.id });
  assert.equal(plan['amount'], 3000);
  const product = (sku: string, amount: number, ships = false) => ({
    name: `Product ${sku}`,
    description: 'Freshly roasted.',
    pricing: { amount, currency: 'usd' },
    requires_shipping: ships,
    sku: `${sku}-${seed}`.toLowerCase().slice(0, 30),
  });
  const beans = await make('create_product', product('beans', 1200));
  const mug = await make('create_product', product('mug', 1500));
  const sample = await make('create_product', product('sample', 100));
  await run('list_products', { q: 'product', limit: 2 });
  await run('get_product', { id: beans.id, expand: 'images' });
  await run('update_product', { id: mug.id, pricing: { amount: 1600, currency: 'usd' } });
  await run('delete_product', { id: sample.id });
  const stocked = await make('get_product', { id: plan['product_id'], expand: 'images' });
  const images = (stocked['images'] as Thing[]).map(({ id }) => id);
  await run('reorder_product_images', { product_id: stocked.id, image_ids: images.toReversed() });
  await run('delete_product_image', { product_id: stocked.id, image_id: images[0] });

  // Events go out.
  const hook = await make('create_webhook_endpoint', {
    url: merchant.hookUrl,
    enabled_events: ['order.*', 'subscription.*'],
  });
  assert.match(String(hook['signing_secret']), /^whsec_|\[/);
  const monitor = await make('setup_webhook_monitoring', {
    url: merchant.hookUrl,
    scope: 'customers',
  });
  await run('list_webhook_endpoints');
  await run('get_webhook_endpoint', { id: hook.id });
  await run('update_webhook_endpoint', { id: hook.id, description: 'Books' });
  await run('rotate_webhook_secret', { id: hook.id });
  await run('test_webhook_endpoint', { id: hook.id });
  await run('list_webhook_versions');
  const event_type = 'order.succeeded';
  await run('preview_webhook_payload', { event_type, version: '2026-03-01' });
  const versions = { from_version: '2025-09-01', to_version: '2026-03-01' };
  await run('compare_webhook_versions', { event_type, ...versions });
  await run('downgrade_webhook_version', { id: hook.id, version: '2025-09-01' });
  await run('upgrade_webhook_version', { id: hook.id, version: '2026-03-01' });

  // Coupons.
  const promo = `TEN-${seed}`.toUpperCase().slice(0, 40);
  const ten = await make('create_coupon', {
    kind: 'promo',
    name: promo,
    percentage: 10,
    max_redemptions: 1,
  });
  const flat = await make('create_coupon', { name: 'Flat', amount: 500, currency: 'USD' });
  await run('generate_coupon_codes', { id: flat.id, count: 3, prefix: 'FLAT' });
  assert.equal(list(await run('list_coupon_codes', { id: flat.id })).length, 3);
  await run('list_coupons', { kind: 'promo' });
  await run('retrieve_coupon', { id: ten.id });
  await run('update_coupon', { id: flat.id, amount: 400 });
  await run('archive_coupon', { id: flat.id });
  await run('unarchive_coupon', { id: flat.id });
  assert.equal(
    (await run('validate_coupon', { code: promo.toLowerCase(), amount: 2400 }))['discount'],
    240,
  );

  // Anna buys, and subscribes from today to the 15th: 14 of 30 days.
  const anna = await make('create_customer', { ...someone(), shipping: ADDRESS });
  const visa = await make('add_payment_method', { customer_id: anna.id, card_token: await card() });
  const amex = await make('add_payment_method', {
    customer_id: anna.id,
    card_token: await card('card_amex'),
  });
  assert.equal(list(await run('list_payment_methods', { customer_id: anna.id })).length, 2);
  await run('update_customer', { id: anna.id, company: 'Quay & Sons' });
  await run('list_customers', { q: 'quay', expand: 'payment_methods' });
  await run('get_customer', { id: anna.id, expand: 'subscriptions' });
  const buy = { customer_id: anna.id, payment_method_id: visa.id };
  const two = [{ product_id: beans.id, quantity: 2 }];
  const order = await make('create_order', { ...buy, items: two, coupon_code: promo });
  sell('create_order', order['amount'], 2160);
  await refused(422, 'create_order', { ...buy, items: two, coupon_code: promo });
  await run('get_order', { id: order.id, expand: 'transactions,customer' });
  const processed = await run('process_order', {
    ...buy,
    items: [{ product_id: mug.id, quantity: 1 }],
  });
  sell('process_order', part(processed, 'order')['amount'], 1600);
  const sub = await make('create_subscription', {
    ...buy,
    plan_id: plan.id,
    billing_cycle: { ...monthly, anchor_day: 15 },
  });
  const [first] = list(await run('list_orders', { customer_id: anna.id, limit: 1 }));
  sell('create_subscription', first?.['amount'], 1400);
  await run('update_subscription', { id: sub.id, payment_method_id: amex.id });
  await run('get_subscription', { id: sub.id, expand: 'plan,cycles' });

  // Bob buys at once; Carl's card is declined and nothing of him stays.
  const bob = await run('create_customer_and_charge', {
    ...someone(),
    card_token: await card(),
    items: two,
  });
  sell('create_customer_and_charge', part(bob, 'order')['amount'], 2400);
  const carl = { ...someone(), card_token: await card('card_insufficient_funds'), items: two };
  await refused(402, 'create_customer_and_charge', carl);
  assert.equal(list(await run('list_customers', { email: carl.email })).length, 0);
  const doraCard = await card();
  const dora = await run('create_customer_and_subscribe', {
    ...someone(),
    card_token: doraCard,
    plan_id: plan.id,
    billing_cycle: monthly,
  });
  sell('create_customer_and_subscribe', plan['amount'], 3000);
  const doras = part(dora, 'subscription');

  // Erin's order fails and is bought again with another card.
  const erin = await make('create_customer', someone());
  const bad = await make('add_payment_method', {
    customer_id: erin.id,
    card_token: await card('card_visa_declined'),
  });
  const good = await make('add_payment_method', { customer_id: erin.id, card_token: await card() });
  const one = [{ product_id: beans.id, quantity: 1 }];
  await refused(402, 'process_order', {
    customer_id: erin.id,
    payment_method_id: bad.id,
    items: one,
  });
  const failed = list(await run('list_transactions', { customer_id: erin.id, status: 'failed' }));
  await run('get_transaction', { id: failed[0]?.id, expand: 'order' });
  const again = await run('retry_failed_charge', {
    transaction_id: failed[0]?.id,
    payment_method_id: good.id,
  });
  sell('retry_failed_charge', part(again, 'new_order')['amount'], 1200);

  // Refunds: a part, then the rest, and never more.
  const half = await run('refund_order', { order_id: order.id, amount: 1000 });
  give('refund_order', part(half, 'transaction')['amount'], 1000);
  await refused(422, 'refund_order', { order_id: order.id, amount: 1161 });
  const sale = list(await run('list_transactions', { order_id: order.id, type: 'sale' }))[0];
  const rest = await run('refund_transaction', { transaction_id: sale?.id });
  give('refund_transaction', part(rest, 'transaction')['amount'], 1160);
  await refused(409, 'refund_order', { order_id: order.id });

  // The month goes by: Anna renews on the 15th for 30.00, Dora's bank refuses on the 1st.
  await merchant.pass(15);
  sales += 3000;
  renewals += 3000;
  await changeCard(merchant.processorUrl, doraCard, 'card_visa_declined');
  await merchant.pass(16);
  const late = list(await run('list_past_due_subscriptions'));
  assert.deepEqual(
    late.map(({ id }) => id),
    [doras.id],
  );
  await changeCard(merchant.processorUrl, doraCard, 'card_visa');
  const [unpaid] = list(
    await run('list_orders', { customer_id: String(doras['customer_id']), limit: 1 }),
  );
  const retried = await run('retry_order', { order_id: unpaid?.id });
  sell('retry_order', part(retried, 'transaction')['amount'], 3000);

  // Anna leaves at the end of what she paid for; Frank gets his money back at once.
  const leaving = await make('cancel_subscription', { id: sub.id, at_period_end: true });
  assert.equal(leaving['has_access'], true);
  const frank = await run('create_customer_and_subscribe', {
    ...someone(),
    card_token: await card(),
    plan_id: plan.id,
    billing_cycle: monthly,
  });
  sell('create_customer_and_subscribe', plan['amount'], 3000);
  const back = await run('refund_and_cancel', { subscription_id: part(frank, 'subscription').id });
  give('refund_and_cancel', back['refunded_cents'], 3000);
  await merchant.pass(15);
  const left = await make('get_subscription', { id: sub.id });
  assert.deepEqual([left['status'], left['has_access']], ['canceled', false]);
  const report = await run('cancel_subscription_and_report', { subscription_id: doras.id });
  assert.equal(report['total_billed_cents'], 6000);

  // Tidying up.
  await run('list_subscriptions', { status: 'canceled' });
  await run('delete_payment_method', {
    customer_id: erin.id,
    payment_method_id: bad.id,
    replacement_payment_method: good.id,
  });
  await run('delete_customer', { id: erin.id });
  const [event] = list(await run('list_webhook_events', { id: hook.id, limit: 1 }));
  await run('replay_webhook_event', { endpoint_id: hook.id, event_id: event?.id });
  await run('list_webhook_delivery_logs', { id: hook.id, limit: 100 });
  await run('delete_webhook_endpoint', { id: monitor.id });
  await run('upgrade_account_api_version', { version: '2026-03-01' });
  const summary = await run('get_revenue_summary', {
    from: '2026-06-01T00:00:00Z',
    to: '2026-12-01T00:00:00Z',
  });
  assert.deepEqual([summary['gross_cents'], summary['refunds_cents']], [sales, refunds]);
  const annas = await run('get_customer_financial_summary', { customer_id: anna.id });
  assert.equal(annas['net_cents'], 1600 + 1400 + 3000);
  return { called, sales, refunds, renewals, paid };
}
