/**
 * `npm run crash:billing -- [kills]`: the merchant's month of examples/billing with its server killed at random
 * moments, and the books compared at the end. Exits with 1 unless they balance.
 */
import { runKilledMonth } from '../examples/billing/killed-month.ts';
import { centsByTool, totals } from '../examples/billing/test-billing.ts';
import { readInput } from './read-input.ts';

const wanted = readInput(() => {
  const kills = Number(process.argv[2] ?? '50');
  if (Number.isSafeInteger(kills) && kills >= 0) return kills;
  throw new Error('give a number of kills');
});
const { month, books, stored, kills, receipts } = await runKilledMonth(wanted, Math.random);
const booked = [...books.charges, ...books.refunds].map(
  ({ id, key, amount_cents }) => `${id} ${key} ${amount_cents}`,
);
const { sales, refunds } = totals(books);
const receipted = Object.entries(centsByTool(receipts));
const isBalanced =
  inOrder(receipted) === inOrder([...month.paid]) &&
  sales === month.sales &&
  refunds === month.refunds &&
  stored.toSorted().join() === booked.toSorted().join();
process.stdout.write(
  `${kills} kills, ${month.called.size} tools, charged ${sales}, answered ${month.sales}, given back ${refunds}, answered ${month.refunds}: ${isBalanced ? 'balanced' : 'NOT BALANCED'}\n`,
);
process.exitCode = isBalanced ? 0 : 1;

function inOrder(cents: readonly (readonly [string, readonly number[]])[]): string {
  return cents
    .map(([tool, amounts]) => `${tool} ${amounts.join(' ')}`)
    .toSorted()
    .join();
}
