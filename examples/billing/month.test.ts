/** A merchant's month over all tools, with books that balance to the cent. */
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMonth } from './merchant-month.ts';
import type { MonthResult } from './merchant-month.ts';
import type { TestBilling } from './test-billing.ts';
import { centsByTool, DAY, openTestBilling, readBooks, totals } from './test-billing.ts';

let billing: TestBilling;
let hook: Server;
let month: MonthResult;

beforeAll(async () => {
  billing = await openTestBilling();
  hook = createServer(
    (request, response) => void request.resume().once('end', () => response.end()),
  );
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const { port } = hook.address() as AddressInfo;
  month = await runMonth(
    {
      call: (name, args, key) => {
        const takesKey = billing.server.operations.get(name)?.effect.repeat.kind === 'key';
        return billing.call(name, args, { key: takesKey ? key : null });
      },
      pass: (days) => billing.pass(days * DAY),
      processorUrl: billing.processor.url,
      hookUrl: `http://127.0.0.1:${port}/hook`,
    },
    'plain',
  );
});

afterAll(async () => {
  hook.close();
  hook.closeAllConnections();
  await billing[Symbol.asyncDispose]();
});

describe("a merchant's month", () => {
  it('calls all 67 tools', () => {
    expect([...billing.server.operations.keys()].filter((name) => !month.called.has(name))).toEqual(
      [],
    );
    expect(month.called.size).toBe(67);
  });

  it('balances to the cent between answers, store and processor', async () => {
    const books = await readBooks(billing.processor.url);
    const { charges, refunds } = books;
    expect(totals(books)).toEqual({ sales: month.sales, refunds: month.refunds });
    const listed = await billing.call('list_transactions', { limit: 100, status: 'succeeded' });
    const rows = listed.body['data'] as { id: string; processor_id: string; amount: number }[];
    const booked = [...charges, ...refunds].map(
      ({ id, key, amount_cents }) => `${id} ${key} ${amount_cents}`,
    );
    const stored = rows.map(({ id, processor_id, amount }) => `${processor_id} ${id} ${amount}`);
    expect(stored.toSorted()).toEqual(booked.toSorted());
  });

  it('has one receipt for each call that moved money, with the cents that it moved', () => {
    expect(centsByTool(billing.receipts)).toEqual(Object.fromEntries(month.paid));
    const { sales, refunds, renewals } = month;
    const all = billing.receipts.reduce((sum, { amount = 0 }) => sum + amount, 0);
    expect(all).toBe(sales - renewals + refunds);
    const ran = billing.receipts.filter(({ amount }) => amount !== undefined);
    expect(new Set(ran.map(({ unit }) => unit))).toEqual(new Set(['USD cents']));
    expect(new Set(ran.map(({ keyRecord }) => keyRecord)).size).toBe(ran.length);
  });

  it('leaves nothing pending and reports no failure', async () => {
    const pending = await billing.call('list_transactions', { status: 'pending' });
    expect(pending.body['data']).toEqual([]);
    expect(billing.reports).toEqual([]);
  });
});
