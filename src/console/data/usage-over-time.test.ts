import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  callReceipt,
  keepCalls,
  NOON,
  waitingReceipt,
} from '../../../test/console/calls-fixture.ts';
import { deriveKeys } from '../../ledger/keys.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { indexReceipts } from '../../ledger/receipts/index-receipts.ts';
import { openSqliteStore } from '../../ledger/sqlite/open-sqlite-store.ts';
import type { Store } from '../../ledger/store.ts';
import type { UsageOverTime } from './usage-over-time.ts';
import { readUsageOverTime } from './usage-over-time.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const keys = deriveKeys(Buffer.alloc(32, 7));
let store: Store;

beforeEach(async () => {
  store = await openSqliteStore(':memory:');
});

afterEach(async () => {
  await store[Symbol.asyncDispose]();
});

function keepAt(...times: readonly number[]): Promise<void> {
  const receipts = times.map((time) => callReceipt({ at: new Date(time).toISOString() }));
  return keepCalls({ store, keys }, receipts);
}

function totals({ buckets }: UsageOverTime): readonly number[] {
  return buckets.map(({ counts }) => counts.reduce((sum, { calls }) => sum + calls, 0));
}

async function countsNow(): Promise<UsageOverTime['buckets'][number]['counts'] | undefined> {
  return (await readUsageOverTime(store, 'day', NOON)).buckets.at(-1)?.counts;
}

describe('usage over time', () => {
  it('counts each receipt in the one hour or day that it began in', async () => {
    await keepAt(NOON, NOON - 1, NOON - HOUR, NOON - 23 * HOUR, NOON - 24 * HOUR, NOON - 31 * DAY);
    const hours = await readUsageOverTime(store, 'day', NOON);
    expect(totals(hours)).toEqual([1, ...Array.from({ length: 21 }, () => 0), 2, 1]);
    expect(hours.buckets.at(-1)).toMatchObject({ start: NOON, end: NOON + HOUR });
    const days = await readUsageOverTime(store, 'month', NOON);
    expect(days.buckets).toHaveLength(30);
    expect(totals(days).slice(-2)).toEqual([2, 3]);
  });

  it('tells tier, decision and server apart', async () => {
    await keepCalls({ store, keys }, [
      callReceipt(),
      callReceipt(),
      callReceipt({ tier: 'external_spend', server: 'bank', decision: 'refused' }),
    ]);
    const counts = await countsNow();
    expect(counts).toHaveLength(2);
    const now = { startsAt: NOON };
    expect(counts).toContainEqual({
      ...now,
      tier: 'read',
      decision: 'ran',
      server: 'shop',
      calls: 2,
    });
    expect(counts).toContainEqual({
      ...now,
      tier: 'external_spend',
      decision: 'refused',
      server: 'bank',
      calls: 1,
    });
  });

  it('counts a question once, however often it is polled', async () => {
    await keepCalls({ store, keys }, [
      waitingReceipt('a'),
      waitingReceipt('a'),
      waitingReceipt('a'),
      callReceipt({ tier: 'destructive', approval: 'a' }),
      waitingReceipt('b'),
      waitingReceipt('b'),
      // That a person answered, or revoked a grant, is no call.
      callReceipt({ operation: 'approvals.answer', tier: 'compute', approval: 'b' }),
      callReceipt({ operation: 'grants.revoke', tier: 'compute', approval: 'b' }),
    ]);
    const counts = await countsNow();
    const one = { startsAt: NOON, tier: 'destructive', server: 'shop', calls: 1 };
    expect(counts).toEqual(
      expect.arrayContaining([
        { ...one, decision: 'ran' },
        { ...one, decision: 'waiting' },
      ]),
    );
    expect(counts).toHaveLength(2);
  });

  it('sees what is new, and what comes late, whether it is indexed or not', async () => {
    await keepAt(NOON - 5 * HOUR);
    expect(totals(await readUsageOverTime(store, 'day', NOON)).at(-6)).toBe(1);
    await indexReceipts(store);
    await keepAt(NOON, NOON - 1, NOON - 5 * HOUR);
    const again = totals(await readUsageOverTime(store, 'day', NOON));
    expect(again.slice(-2)).toEqual([1, 1]);
    expect(again.at(-6)).toBe(2);
    expect(totals(await readUsageOverTime(store, 'month', NOON)).at(-1)).toBe(4);
  });

  it('indexes and counts nothing itself, so that nobody who looks waits for it', async () => {
    await keepAt(NOON);
    await readUsageOverTime(store, 'month', NOON);
    const left = await store.transaction(async (tx) => [
      ...(await tx.execute('SELECT * FROM receipt_index')),
      ...(await tx.execute('SELECT * FROM usage_counts')),
    ]);
    expect(left).toEqual([]);
  });

  it('adds up money over all the hours, by server and unit, and counts what has no price', async () => {
    const spend = (at: number, changes: Partial<Receipt>) =>
      callReceipt({ tier: 'external_spend', at: new Date(at).toISOString(), ...changes });
    await keepCalls({ store, keys }, [
      spend(NOON, { amount: 1, unit: 'EUR' }),
      spend(NOON - 3 * HOUR, { amount: 2, unit: 'EUR' }),
      spend(NOON, { amount: 9, unit: 'EUR', server: 'bank' }),
      spend(NOON, { amount: 5 }),
    ]);
    await indexReceipts(store);
    await keepCalls({ store, keys }, [
      spend(NOON, { amount: 4, unit: 'EUR', decision: 'unknown' }),
      spend(NOON, { amount: 100, decision: 'refused' }),
      spend(NOON, {}),
    ]);
    const { money } = await readUsageOverTime(store, 'day', NOON);
    expect(money).toEqual({
      sums: [
        { server: 'shop', unit: '', amount: 5, calls: 1 },
        { server: 'bank', unit: 'EUR', amount: 9, calls: 1 },
        { server: 'shop', unit: 'EUR', amount: 7, calls: 3 },
      ],
      unknown: 1,
    });
  });
});
