import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callReceipt, keepCalls, NOON } from '../../../test/console/calls-fixture.ts';
import { deriveKeys } from '../../ledger/keys.ts';
import { openSqliteStore } from '../../ledger/sqlite/open-sqlite-store.ts';
import type { Store } from '../../ledger/store.ts';
import type { Bucket } from './usage-over-time.ts';
import { openUsage } from './usage-over-time.ts';

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

function totals(buckets: readonly Bucket[]): readonly number[] {
  return buckets.map(({ counts }) => counts.reduce((sum, { count }) => sum + count, 0));
}

describe('usage over time', () => {
  it('counts each receipt in the one hour or day that it began in', async () => {
    await keepAt(NOON, NOON - 1, NOON - HOUR, NOON - 23 * HOUR, NOON - 24 * HOUR, NOON - 31 * DAY);
    const usage = openUsage(store);
    const hours = await usage.read('day', NOON);
    expect(totals(hours)).toEqual([1, ...Array.from({ length: 21 }, () => 0), 2, 1]);
    expect(hours.at(-1)).toMatchObject({ start: NOON, end: NOON + HOUR });
    const days = await usage.read('month', NOON);
    expect(days).toHaveLength(30);
    expect(totals(days).slice(-2)).toEqual([2, 3]);
  });

  it('tells tier, decision and server apart', async () => {
    await keepCalls({ store, keys }, [
      callReceipt(),
      callReceipt(),
      callReceipt({ tier: 'external_spend', server: 'bank', decision: 'refused' }),
    ]);
    const counts = (await openUsage(store).read('day', NOON)).at(-1)?.counts;
    expect(counts).toHaveLength(2);
    expect(counts).toContainEqual({ tier: 'read', decision: 'ran', server: 'shop', count: 2 });
    expect(counts).toContainEqual({
      tier: 'external_spend',
      decision: 'refused',
      server: 'bank',
      count: 1,
    });
  });

  it('counts a question once, however often it is polled', async () => {
    const waiting = (approval: string) =>
      callReceipt({
        tier: 'destructive',
        decision: 'waiting',
        outcome: 'approval-pending',
        approval,
      });
    await keepCalls({ store, keys }, [
      waiting('a'),
      waiting('a'),
      waiting('a'),
      callReceipt({ tier: 'destructive', approval: 'a' }),
      waiting('b'),
      waiting('b'),
      // That a person answered, or revoked a grant, is no call.
      callReceipt({ operation: 'approvals.answer', tier: 'compute', approval: 'b' }),
      callReceipt({ operation: 'grants.revoke', tier: 'compute', approval: 'b' }),
    ]);
    const counts = (await openUsage(store).read('day', NOON)).at(-1)?.counts;
    const one = { tier: 'destructive', server: 'shop', count: 1 };
    expect(counts).toEqual(
      expect.arrayContaining([
        { ...one, decision: 'ran' },
        { ...one, decision: 'waiting' },
      ]),
    );
    expect(counts).toHaveLength(2);
  });

  it('sees what is new, and what comes late, but counts the past only once', async () => {
    await keepAt(NOON - 5 * HOUR);
    const usage = openUsage(store);
    expect(totals(await usage.read('day', NOON)).at(-6)).toBe(1);
    await keepAt(NOON, NOON - 1, NOON - 5 * HOUR);
    const again = totals(await usage.read('day', NOON));
    expect(again.slice(-2)).toEqual([1, 1]);
    expect(again.at(-6)).toBe(1);
    expect(totals(await openUsage(store).read('day', NOON)).at(-6)).toBe(2);
  });
});
