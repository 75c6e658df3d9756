import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../open-ledger.ts';
import type { Store } from '../store.ts';
import { IdleIndex } from './idle-index.ts';

const IDLE_MS = 100;
const MANY = 1000;

let store: Store;
beforeEach(async () => {
  store = await openStore('sqlite::memory:');
});
afterEach(() => store[Symbol.asyncDispose]());

async function append(count: number): Promise<void> {
  const toReceipt = (index: number) => {
    const body = ['{"seq":', `,"id":"${index}"}`] as const;
    return { id: crypto.randomUUID(), body, salt: '', args: '' };
  };
  await store.transaction((tx) => tx.append(Array.from({ length: count }, (_, n) => toReceipt(n))));
}

async function countIndexed(): Promise<number> {
  const [row] = await store.transaction((tx) =>
    tx.execute('SELECT COUNT(*) AS count FROM receipt_index'),
  );
  return Number(row?.['count']);
}

describe('the index of an idle ledger', () => {
  it('is made when calls have become few', async () => {
    await using index = new IdleIndex(store, IDLE_MS);
    await append(700);
    index.kept(700);
    expect(await countIndexed()).toBe(0);
    await expect.poll(countIndexed, { timeout: 10_000 }).toBe(700);
  });

  it('is made beside few calls, however long they go on', async () => {
    await using index = new IdleIndex(store, IDLE_MS);
    await append(300);
    index.kept(300);
    const calls = setInterval(() => index.kept(0), 1);
    await expect.poll(countIndexed, { timeout: 10_000 }).toBe(300);
    clearInterval(calls);
  });

  it('lets many calls that come meanwhile go first, and is finished when they are few again', async () => {
    await using index = new IdleIndex(store, IDLE_MS);
    await append(20_000);
    index.kept(20_000);
    await expect.poll(countIndexed, { timeout: 10_000, interval: 1 }).toBeGreaterThan(0);
    index.kept(MANY);
    expect(await countIndexed()).toBeLessThan(20_000);
    await expect.poll(countIndexed, { timeout: 20_000 }).toBe(20_000);
  });

  it('is made in pieces between the transactions of others', async () => {
    await using index = new IdleIndex(store, IDLE_MS);
    await append(20_000);
    index.soon();
    await expect.poll(countIndexed, { timeout: 10_000, interval: 1 }).toBeGreaterThan(0);
    // A look waits for one piece, not for the thousands that fit into a transaction.
    const [first, second] = [await countIndexed(), await countIndexed()];
    expect(second - first).toBeLessThanOrEqual(500);
  });

  it('is made once more for whoever asks while it is made and then left', async () => {
    await using index = new IdleIndex(store, IDLE_MS);
    await append(20_000);
    index.kept(20_000);
    await expect.poll(countIndexed, { timeout: 10_000, interval: 1 }).toBeGreaterThan(0);
    index.soon();
    index.kept(MANY);
    await expect.poll(countIndexed, { timeout: 20_000 }).toBe(20_000);
  });

  it('is complete when the ledger closes, also if calls went first', async () => {
    {
      await using index = new IdleIndex(store, IDLE_MS);
      await append(6000);
      index.kept(6000);
      await expect.poll(countIndexed, { timeout: 10_000, interval: 1 }).toBeGreaterThan(0);
      index.kept(MANY);
    }
    expect(await countIndexed()).toBe(6000);
  });
});
