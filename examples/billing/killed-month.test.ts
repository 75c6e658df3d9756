/** A short version of `npm run crash:billing`. */
import { expect, it } from 'vitest';
import { runKilledMonth } from './killed-month.ts';
import { centsByTool, totals } from './test-billing.ts';

it('a month with a server that is killed has the same books and no double charge', async () => {
  const { month, books, stored, kills, receipts } = await runKilledMonth(5, Math.random);
  expect(kills).toBeGreaterThanOrEqual(5);
  expect(month.called.size).toBe(67);
  expect(totals(books)).toEqual({ sales: month.sales, refunds: month.refunds });
  const booked = [...books.charges, ...books.refunds].map(
    ({ id, key, amount_cents }) => `${id} ${key} ${amount_cents}`,
  );
  expect(stored.toSorted()).toEqual(booked.toSorted());
  // However often a call was sent, the money that it moved is on one receipt.
  expect(centsByTool(receipts)).toEqual(Object.fromEntries(month.paid));
}, 60_000);
