/** Two server processes on one store file, and tools that race on one subscription. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { post } from '../../test/support/post.ts';
import type { ProcessorChild } from '../payment-processor/processor-child.ts';
import { openProcessorChild } from '../payment-processor/processor-child.ts';
import { issueKey } from './authenticate.ts';
import { TEST_ACCOUNT } from './seed.ts';
import { Store } from './store.ts';
import type { Json } from './test-billing.ts';
import { captureCard, openTestBilling, readBooks, someone, totals } from './test-billing.ts';

const PLIMSOLL = new URL('../../bin/plimsoll', import.meta.url).pathname;

let folder: string;
let processor: ProcessorChild;
const servers: { readonly url: string; readonly child: ChildProcess; readonly key: string }[] = [];
type Thing = Json & { id: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'billing-races-'));
  const database = join(folder, 'billing.db');
  processor = await openProcessorChild({ database: join(folder, 'processor.db') });
  using store = new Store(database);
  for (let count = 0; count < 2; count += 1) {
    servers.push({ ...(await start(database)), key: issueKey(store, TEST_ACCOUNT) });
  }
}, 60_000);

afterAll(async () => {
  for (const { child } of servers) child.kill('SIGTERM');
  await processor[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function start(database: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(PLIMSOLL, ['serve', 'examples/billing', '--as', 'mara'], {
    env: {
      ...process.env,
      BILLING_DB: database,
      BILLING_PROCESSOR: processor.url,
      BILLING_WORK_MS: '20',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error(`ended early: ${text}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    });
  });
  return { url, child };
}

async function call(at: number, name: string, args: object, key = randomUUID()) {
  // Either server, and always as the first key: its caller is who the idempotency key belongs to.
  const server = servers[at % servers.length];
  const answer = await post(`${server?.url}/op/${name}`, JSON.stringify(args), {
    authorization: `Bearer ${servers[0]?.key}`,
    'idempotency-key': key,
  });
  return { status: answer.status, body: JSON.parse(answer.text) as Thing };
}

it('charges and gives back once when two processes get the same call at the same time', async () => {
  const card_token = await captureCard(processor.url);
  const plans = await post(`${servers[0]?.url}/op/list_plans`, '{"active":true}', {
    authorization: `Bearer ${servers[0]?.key}`,
  });
  const [plan] = (JSON.parse(plans.text) as { data: Thing[] }).data;
  const args = {
    ...someone(),
    card_token,
    plan_id: plan?.id,
    billing_cycle: { interval: 'month', interval_count: 1 },
  };
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => call(at, 'create_customer_and_subscribe', args, key)),
  );
  const made = answers.filter(({ status }) => status === 200);
  expect(made.length).toBeGreaterThan(0);
  expect(answers.map(({ status }) => status).filter((one) => one !== 200 && one !== 409)).toEqual(
    [],
  );
  const books = await readBooks(processor.url);
  expect(books.charges).toHaveLength(1);
  const subscription_id = (made[0]?.body['subscription'] as Thing | undefined)?.id;
  // Each under a key of its own: what is left to give back decides.
  await Promise.all(
    Array.from({ length: 10 }, (_, at) => call(at, 'refund_and_cancel', { subscription_id })),
  );
  const { sales, refunds } = totals(await readBooks(processor.url));
  expect(refunds).toBe(sales);
}, 60_000);

it('gives back exactly what was paid when 1,000 subscriptions are cancelled, changed and refunded at once', async () => {
  await using billing = await openTestBilling();
  const plans = (await billing.call('list_plans', { active: true })).body['data'] as Thing[];
  const customer = (await billing.call('create_customer', someone())).body;
  const method = await billing.call('add_payment_method', {
    customer_id: customer['id'],
    card_token: await captureCard(billing.processor.url),
  });
  const wrong: string[] = [];
  const race = async (): Promise<void> => {
    const made = await billing.call('create_subscription', {
      customer_id: customer['id'],
      payment_method_id: method.body['id'],
      plan_id: plans[0]?.id,
      billing_cycle: { interval: 'month', interval_count: 1 },
    });
    const id = made.body['id'];
    const answers = await Promise.all([
      billing.call('cancel_subscription', { id }),
      billing.call('update_subscription', { id, shipping_option_id: 'slow' }),
      billing.call('refund_and_cancel', { subscription_id: id }),
      billing.call('cancel_subscription_and_report', { subscription_id: id }),
    ]);
    const [canceled, changed, refunded, reported] = answers.map(({ status }) => status);
    const end = (await billing.call('get_subscription', { id })).body;
    const isKept = (end['shipping_option_id'] === 'slow') === (changed === 200);
    const isDone = canceled === 200 && refunded === 200 && reported === 200;
    if (!isKept || !isDone || end['status'] !== 'canceled') wrong.push(JSON.stringify(end));
  };
  for (let round = 0; round < 1000; round += 25) {
    await Promise.all(Array.from({ length: 25 }, race));
  }
  expect(wrong).toEqual([]);
  const books = await readBooks(billing.processor.url);
  expect(books.charges).toHaveLength(1000);
  expect(totals(books).refunds).toBe(totals(books).sales);
}, 120_000);
