/** Webhooks that are late, stopped or interrupted, and two workers on one store. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { deliverDue } from './deliver.ts';
import type { Json, TestBilling } from './test-billing.ts';
import { openTestBilling, someone } from './test-billing.ts';
import { TEST_ACCOUNT } from './seed.ts';

interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly heard: string[];
}

async function openReceiver(answers = true): Promise<Receiver> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.once('end', () => {
      heard.push((JSON.parse(body) as { id: string }).id);
      if (answers) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    heard,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function ok(billing: TestBilling, name: string, args: object): Promise<Json> {
  const { status, body } = await billing.call(name, args);
  expect({ name, status, body }).toMatchObject({ status: 200 });
  return body;
}

const listen = (billing: TestBilling, { url }: Receiver) =>
  ok(billing, 'create_webhook_endpoint', { url, enabled_events: ['customer.created'] });

it('holds back what is due for an endpoint that is stopped, and sends it later', async () => {
  await using billing = await openTestBilling();
  await using receiver = await openReceiver();
  const { id } = await listen(billing, receiver);
  await ok(billing, 'create_customer', someone());
  await ok(billing, 'update_webhook_endpoint', { id, disabled: true });
  await billing.pass(1000);
  expect(receiver.heard).toEqual([]);
  await ok(billing, 'update_webhook_endpoint', { id, disabled: false });
  await billing.pass(1000);
  expect(receiver.heard).toHaveLength(1);
});

it('sends each event once when several workers find it', async () => {
  await using billing = await openTestBilling();
  await using receiver = await openReceiver();
  await listen(billing, receiver);
  for (let count = 0; count < 20; count += 1) await ok(billing, 'create_customer', someone());
  await Promise.all(Array.from({ length: 5 }, () => deliverDue(billing.shop)));
  expect(receiver.heard).toHaveLength(20);
  expect(new Set(receiver.heard).size).toBe(20);
});

it('does not wait for one receiver before it serves the others', async () => {
  await using billing = await openTestBilling();
  await using silent = await openReceiver(false);
  await using receiver = await openReceiver();
  await listen(billing, silent);
  await listen(billing, receiver);
  for (let count = 0; count < 5; count += 1) await ok(billing, 'create_customer', someone());
  const before = Date.now();
  await billing.pass(1000);
  // The silent one is asked once, for two seconds, and not once for each event.
  expect(Date.now() - before).toBeLessThan(6000);
  expect(receiver.heard).toHaveLength(5);
  expect(silent.heard).toHaveLength(1);
});

it('ends a test that was interrupted, and is not held up by it', async () => {
  await using billing = await openTestBilling();
  await using receiver = await openReceiver();
  const { id } = await listen(billing, receiver);
  const { store } = billing;
  const event = store.objects.add(TEST_ACCOUNT, 'event', billing.now(), { type: 'ping', data: {} });
  // What a process leaves behind that is killed while it posts.
  for (let count = 0; count < 1000; count += 1) {
    store.deliveries.add(String(id), event.id, 'test', billing.now());
  }
  await ok(billing, 'create_customer', someone());
  await billing.pass(180_000);
  expect(receiver.heard).toHaveLength(1);
  const logs = await ok(billing, 'list_webhook_delivery_logs', { id, limit: 100 });
  const rows = logs['data'] as { status: string; reason: string }[];
  expect(rows.filter(({ status }) => status === 'pending')).toEqual([]);
});
