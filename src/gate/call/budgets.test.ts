import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Postgres } from '../../../test/support/postgres.ts';
import { openPostgres } from '../../../test/support/postgres.ts';
import type { Principal } from '../../effect/operation.ts';
import { openPostgresStore } from '../../ledger/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../ledger/sqlite/open-sqlite-store.ts';
import type { Store } from '../../ledger/store.ts';
import type { BudgetRow } from '../../ledger/tables.ts';
import type { Budget } from '../policy/verdict.ts';
import type { Amount, Budgets, Draw, Reservation } from './budgets.ts';
import { openBudgets, spanOf } from './budgets.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-budgets-'));
let postgres: Postgres;

beforeAll(async () => {
  postgres = await openPostgres();
}, 60_000);

afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const ANN: Principal = { id: 'ann', tenant: 't', scopes: [] };
const BOB: Principal = { id: 'bob', tenant: 't', scopes: [] };

/** A month, so that no test runs over the end of its span but once in a long while. */
function define(name: string, limit: number, facts: Partial<Budget> = {}): Budget {
  return { name, counts: 'calls', limit, per: 'month', shared: false, ...facts };
}

function reserveWith(
  store: Store,
): (budgets: readonly Budget[], principal?: Principal, amount?: Amount) => Promise<Reservation> {
  const opened = openBudgets(store);
  return (budgets, principal = ANN, amount = { calls: 1 }) =>
    store.transaction((tx) => opened.reserve(tx, budgets, principal, amount));
}

async function used(budgets: Budgets, ...of: readonly Budget[]): Promise<readonly number[]> {
  return (await budgets.usage(of, ANN)).map((usage) => usage.used);
}

function findPot(store: Store, budget: string): Promise<BudgetRow | undefined> {
  return store.transaction((tx) => tx.find('budgets', { budget }));
}

/** The pots in the order in which a release changes them. */
async function changedBy(
  store: Store,
  budgets: Budgets,
  draws: readonly Draw[],
): Promise<readonly unknown[]> {
  const changed: unknown[] = [];
  await store.transaction((tx) =>
    budgets.release(draws, {
      ...tx,
      execute: (sql, parameters = []) => {
        changed.push(parameters.at(-1));
        return tx.execute(sql, parameters);
      },
    }),
  );
  return changed;
}

function count(reservations: readonly Reservation[]): number {
  return reservations.filter(({ kind }) => kind === 'reserved').length;
}

describe.each([
  ['SQLite', () => openSqliteStore(join(folder, 'shared.sqlite'))],
  ['PostgreSQL', () => openPostgresStore(postgres.url)],
] as const)('budgets on %s', (_, open) => {
  it('are never exceeded by one, with a thousand calls at once through two stores', async () => {
    await using first = await open();
    await using second = await open();
    const tight = define('race', 137);
    const wide = define('race-wide', 10_000, { shared: true, counts: 'money' });
    const amount = { calls: 1, money: () => 3 } as const;
    const reservations = await Promise.all(
      [reserveWith(first), reserveWith(second)].flatMap((reserve) =>
        Array.from({ length: 500 }, (__, index) =>
          // In either order: whoever waits for the other must not wait for ever.
          reserve(index % 2 === 0 ? [tight, wide] : [wide, tight], ANN, amount),
        ),
      ),
    );
    expect(count(reservations)).toBe(137);
    expect(await used(openBudgets(first), tight, wide)).toEqual([137, 137 * 3]);
  });

  it('say which one is used up, and for how long', async () => {
    await using store = await open();
    const reserve = reserveWith(store);
    const budget = define('one', 1, { per: 'hour' });
    expect(await reserve([budget])).toMatchObject({ kind: 'reserved', draws: [{ amount: 1 }] });
    const refused = await reserve([budget]);
    expect(refused).toMatchObject({ kind: 'exhausted', budget: 'one' });
    const { retryAfterSeconds } = refused as Extract<Reservation, { kind: 'exhausted' }>;
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
    const left = (spanOf('hour', Date.now()).end - Date.now()) / 1000;
    expect(Math.abs(retryAfterSeconds - left) % 3600).toBeLessThan(60);
  });

  it('take from all or from none', async () => {
    await using store = await open();
    const reserve = reserveWith(store);
    const pots = ['a', 'b', 'c', 'd', 'e'].map((name) => define(`all-${name}`, 10));
    const none = define('all-none', 0);
    for (const pot of pots) {
      expect(await reserve([pot, none])).toMatchObject({ kind: 'exhausted', budget: 'all-none' });
    }
    expect(await used(openBudgets(store), ...pots)).toEqual([0, 0, 0, 0, 0]);
    expect((await reserve(pots)).kind).toBe('reserved');
    expect(await used(openBudgets(store), ...pots)).toEqual([1, 1, 1, 1, 1]);
  });

  it('take nothing when the transaction of the caller fails', async () => {
    await using store = await open();
    const budget = define('rolled-back', 1);
    const budgets = openBudgets(store);
    const failing = store.transaction(async (tx) => {
      await budgets.reserve(tx, [budget], ANN, { calls: 1 });
      throw new Error('the key record was taken');
    });
    await expect(failing).rejects.toThrow('the key record was taken');
    expect(await used(budgets, budget)).toEqual([0]);
  });

  it('have a pot for each principal, or one for all', async () => {
    await using store = await open();
    const reserve = reserveWith(store);
    const own = define('own', 1);
    const stranger: Principal = { ...ANN, tenant: 'u' };
    for (const principal of [ANN, BOB, stranger]) {
      expect((await reserve([own], principal)).kind).toBe('reserved');
    }
    const shared = define('shared', 1, { shared: true });
    expect((await reserve([shared], ANN)).kind).toBe('reserved');
    expect((await reserve([shared], BOB)).kind).toBe('exhausted');
    const nobodys = { tenant: '', principal: '' };
    expect(await findPot(store, 'shared')).toMatchObject(nobodys);
    const plain = define('plain', 1);
    await reserve([plain], { id: 'cid', scopes: [] });
    expect(await findPot(store, 'plain')).toMatchObject({ tenant: '', principal: 'cid' });
  });

  it('correct what each pot counts, and leave the others as they are', async () => {
    await using store = await open();
    const budgets = openBudgets(store);
    const calls = define('each-calls', 10);
    const money = define('each-money', 100, { counts: 'money' });
    const seconds = define('each-seconds', 100, { counts: 'compute-seconds' });
    const pots = [calls, money, seconds];
    const reservation = await reserveWith(store)(pots, ANN, { calls: 1, money: () => 30 });
    expect(await used(budgets, ...pots)).toEqual([1, 30, 0]);
    const { draws } = reservation as Extract<Reservation, { kind: 'reserved' }>;
    await budgets.settle(draws, { computeSeconds: 7 });
    expect(await used(budgets, ...pots)).toEqual([1, 30, 7]);
    await budgets.settle(draws, { money: 12 });
    expect(await used(budgets, ...pots)).toEqual([1, 12, 7]);
  });

  it('change nothing when the transaction that settles or releases fails', async () => {
    await using store = await open();
    const budgets = openBudgets(store);
    const money = define('unsettled', 100, { counts: 'money' });
    const reservation = await reserveWith(store)([money], ANN, { calls: 1, money: () => 30 });
    const { draws } = reservation as Extract<Reservation, { kind: 'reserved' }>;
    const failing = store.transaction(async (tx) => {
      await budgets.settle(draws, { money: 99 }, tx);
      await budgets.release(draws, tx);
      throw new Error('the receipt was not written');
    });
    await expect(failing).rejects.toThrow('the receipt was not written');
    expect(await used(budgets, money)).toEqual([30]);
  });

  it('are settled in one order, whatever the order of the draws, so that no two wait for each other', async () => {
    await using store = await open();
    const budgets = openBudgets(store);
    const pots = ['a', 'b', 'c', 'd'].map((name) => define(`order-${name}`, 10));
    const reservation = await reserveWith(store)(pots);
    const { draws } = reservation as Extract<Reservation, { kind: 'reserved' }>;
    const orders = [draws, draws.toReversed()].map((given) => changedBy(store, budgets, given));
    const [first, second] = await Promise.all(orders);
    // The order in which they were reserved, too: whoever reserves may meet whoever settles.
    expect(first).toEqual(draws.map(({ id }) => id));
    expect(second).toEqual(first);
  });

  it('count money as reserved, then as it turned out', async () => {
    await using store = await open();
    const reserve = reserveWith(store);
    const budgets = openBudgets(store);
    const money = define('money', 100, { counts: 'money' });
    const first = await reserve([money], ANN, { calls: 1, money: () => 80 });
    expect((await reserve([money], ANN, { calls: 1, money: () => 21 })).kind).toBe('exhausted');
    if (first.kind === 'reserved') await budgets.settle(first.draws, { money: 50 });
    expect(await used(budgets, money)).toEqual([50]);
    const second = await reserve([money], ANN, { calls: 1, money: () => 50 });
    expect((await reserve([money])).kind).toBe('exhausted');
    if (second.kind === 'reserved') await budgets.release(second.draws);
    expect(await used(budgets, money)).toEqual([50]);
    expect((await reserve([money])).kind).toBe('reserved');
  });

  it('count compute seconds when they are known, rounded up, and stop the next call', async () => {
    await using store = await open();
    const reserve = reserveWith(store);
    const budgets = openBudgets(store);
    const seconds = define('seconds', 3, { counts: 'compute-seconds' });
    for (const computeSeconds of [1.2, 0.1]) {
      const reservation = await reserve([seconds]);
      if (reservation.kind === 'reserved')
        await budgets.settle(reservation.draws, { computeSeconds });
    }
    expect(await used(budgets, seconds)).toEqual([3]);
    expect((await reserve([seconds])).kind).toBe('exhausted');
  });

  it('refuse amounts that are none', async () => {
    await using store = await open();
    const reserve = reserveWith(store);
    const money = define('odd', 100, { counts: 'money' });
    for (const amount of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
      await expect(reserve([money], ANN, { calls: 1, money: () => amount })).rejects.toThrow(
        'no amount',
      );
    }
  });

  it('forget spans that are long over, and only those', async () => {
    await using store = await open();
    const budgets = openBudgets(store);
    const budget = define('swept', 5);
    await reserveWith(store)([budget]);
    const old = { budget: 'old', tenant: '', principal: '', starts_at: 0, ends_at: 1, used: 1 };
    const recent = { ...old, budget: 'recent', ends_at: Date.now() - 60_000, id: 'recent' };
    await store.transaction(async (tx) => {
      await tx.insert('budgets', { ...old, id: 'old' });
      await tx.insert('budgets', recent);
    });
    await budgets.sweep(3_600_000);
    expect(await findPot(store, 'old')).toBeUndefined();
    expect(await findPot(store, 'recent')).toBeDefined();
    expect(await used(budgets, budget)).toEqual([1]);
  });
});

describe('budgets of two threads on one SQLite file', () => {
  it('are never exceeded by one', async () => {
    const path = join(folder, 'threads.sqlite');
    await using store = await openSqliteStore(path);
    const budget = define('threads', 150);
    const here = new URL('.', import.meta.url).href;
    const script = `
      const { parentPort, workerData } = require('node:worker_threads');
      (async () => {
        const { openBudgets } = await import(workerData.here + 'budgets.ts');
        const { openSqliteStore } = await import(
          workerData.here + '../../ledger/sqlite/open-sqlite-store.ts');
        await using store = await openSqliteStore(workerData.path);
        const { reserve } = openBudgets(store);
        let won = 0;
        for (let turn = 0; turn < 50; turn += 1) {
          const all = await Promise.all(Array.from({ length: 5 }, () => store.transaction((tx) =>
            reserve(tx, [workerData.budget], workerData.principal, { calls: 1 }))));
          won += all.filter(({ kind }) => kind === 'reserved').length;
        }
        parentPort.postMessage(won);
      })();`;
    const won = await Promise.all(
      [1, 2].map(async () => {
        const workerData = { here, path, budget, principal: ANN };
        const worker = new Worker(script, { eval: true, workerData });
        const result = Promise.withResolvers<number>();
        worker.once('message', result.resolve);
        worker.once('error', result.reject);
        return result.promise;
      }),
    );
    expect((won[0] ?? 0) + (won[1] ?? 0)).toBe(150);
    expect(await used(openBudgets(store), budget)).toEqual([150]);
  });
});

const NOW = Date.UTC(2028, 1, 29, 23, 59, 30, 250);

describe('the span of a budget', () => {
  it.each([
    ['minute', Date.UTC(2028, 1, 29, 23, 59), Date.UTC(2028, 2, 1)],
    ['hour', Date.UTC(2028, 1, 29, 23), Date.UTC(2028, 2, 1)],
    ['day', Date.UTC(2028, 1, 29), Date.UTC(2028, 2, 1)],
    ['month', Date.UTC(2028, 1, 1), Date.UTC(2028, 2, 1)],
  ] as const)('is a whole %s of UTC', (per, start, end) => {
    expect(spanOf(per, NOW)).toEqual({ start, end });
    expect(spanOf(per, end - 1)).toEqual({ start, end });
    expect(spanOf(per, end).start).toBe(end);
  });

  it('goes over the end of a year', () => {
    const december = spanOf('month', Date.UTC(2028, 11, 31, 12));
    expect(december).toEqual({ start: Date.UTC(2028, 11), end: Date.UTC(2029, 0) });
  });
});
