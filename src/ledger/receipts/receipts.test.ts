import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Fate } from '../../../test/support/commit-faults.ts';
import { withCommitFaults } from '../../../test/support/commit-faults.ts';
import { turnsUntil } from '../../../test/support/turns-until.ts';
import { openKeyRecords } from '../idempotency/key-records.ts';
import { deriveKeys } from '../keys.ts';
import type { Entry } from '../ledger.ts';
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts';
import type { Store } from '../store.ts';
import { StoreUnavailableError } from '../store.ts';
import { Receipts } from './receipts.ts';

let store: Store;
let isAway = false;
let fate: Fate = 'fine';
let lost: number[] = [];

beforeEach(async () => {
  [isAway, fate, lost] = [false, 'fine', []];
  store = await openSqliteStore(':memory:');
});

afterEach(async () => {
  vi.restoreAllMocks();
  await store[Symbol.asyncDispose]();
});

function openReceipts(given?: Store): Receipts {
  const keys = deriveKeys(randomBytes(32));
  const faulty = withCommitFaults(store, () => fate);
  const shaky: Store = {
    ...faulty,
    kind: 'sqlite',
    transaction: (work) =>
      isAway ? Promise.reject(new StoreUnavailableError('gone')) : faulty.transaction(work),
  };
  const used = given ?? shaky;
  return new Receipts(used, {
    keys,
    keyRecords: openKeyRecords(used, keys),
    arguments: 'none',
    onLost: (count) => void lost.push(count),
    onKept: () => {},
  });
}

function entry(tier: 'read' | 'compute' = 'read'): Entry {
  return {
    args: {},
    receipt: {
      kind: 'receipt',
      id: randomUUID(),
      at: new Date().toISOString(),
      operation: 'op',
      act: 'read',
      tier,
      reach: 'own-store',
      openWorld: false,
      via: 'in-process',
      decision: 'ran',
      outcome: 'success',
      milliseconds: 1,
    },
  };
}

const count = async (): Promise<number> =>
  Number(
    (await store.transaction((tx) => tx.execute('SELECT COUNT(*) AS n FROM receipts')))[0]?.['n'],
  );

describe('receipts', () => {
  it('are all kept when the ledger closes, also those nobody has waited for', async () => {
    const receipts = openReceipts();
    const pending = Array.from({ length: 20 }, () => receipts.record(entry('compute')));
    for (let index = 0; index < 30; index += 1) void receipts.record(entry());
    await receipts[Symbol.asyncDispose]();
    expect(await count()).toBe(50);
    for (const each of pending) await each;
    expect(lost).toEqual([]);
  });

  it.each(['read', 'compute'] as const)('of a %s are refused after the close', async (tier) => {
    const receipts = openReceipts();
    await receipts[Symbol.asyncDispose]();
    await expect(receipts.record(entry(tier))).rejects.toThrow('the ledger is closed');
    expect([await count(), lost]).toEqual([0, []]);
  });

  it('of many reads are written in parts, between which calls have their turn', async () => {
    await using receipts = openReceipts(store);
    for (let index = 0; index < 640; index += 1) void receipts.record(entry());
    // No time passes: on a busy machine the rest may be written in one go.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const turns = await turnsUntil(receipts.flush());
    expect(turns).toBeGreaterThanOrEqual(9);
    expect([await count(), lost]).toEqual([640, []]);
  });

  it('of many reads do not keep other processes waiting for as long as calls take', async () => {
    await using receipts = openReceipts(store);
    for (let index = 0; index < 6400; index += 1) void receipts.record(entry());
    const turns = await turnsUntil(receipts.flush(), () => {
      const until = performance.now() + 10;
      while (performance.now() < until);
    });
    expect(turns).toBeLessThan(20);
    expect([await count(), lost]).toEqual([6400, []]);
  });

  it('of many reads are written in one go when others wait for the ledger', async () => {
    await using receipts = openReceipts(store);
    for (let index = 0; index < 640; index += 1) void receipts.record(entry());
    const order: string[] = [];
    const isWritten = receipts.flush().then(() => order.push('written'));
    const isServed = store.transaction((tx) => tx.now()).then(() => order.push('served'));
    for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
    order.push('three turns');
    await Promise.all([isWritten, isServed]);
    expect(order).toEqual(['served', 'written', 'three turns']);
  });

  it('of reads outlive an outage', async () => {
    await using receipts = openReceipts();
    isAway = true;
    for (let index = 0; index < 5; index += 1) void receipts.record(entry());
    await receipts.flush();
    expect(await count()).toBe(0);
    isAway = false;
    await expect.poll(count).toBe(5);
    expect(lost).toEqual([]);
  });

  it.each(['committed', 'lost'] as const)(
    'of reads are kept once when a commit does not say whether it happened (%s)',
    async (truth) => {
      await using receipts = openReceipts();
      fate = truth;
      for (let index = 0; index < 5; index += 1) void receipts.record(entry());
      await receipts.flush();
      fate = 'fine';
      await receipts.flush();
      expect([await count(), lost]).toEqual([5, []]);
    },
  );

  it('of reads are kept although one among them cannot be', async () => {
    await using receipts = openReceipts();
    const broken = entry();
    void receipts.record(entry());
    void receipts.record({ ...broken, receipt: { ...broken.receipt, milliseconds: Number.NaN } });
    void receipts.record(entry());
    await receipts.flush();
    expect([await count(), lost]).toEqual([2, [1]]);
  });

  it('that cannot be kept at the close are counted', async () => {
    const receipts = openReceipts();
    isAway = true;
    for (let index = 0; index < 3; index += 1) void receipts.record(entry());
    await receipts[Symbol.asyncDispose]();
    await sleep(1);
    expect(lost).toEqual([3]);
  });
});
