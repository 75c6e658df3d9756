import { createPublicKey, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { turnsUntil } from '../../../test/support/turns-until.ts';
import { deriveKeys } from '../keys.ts';
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts';
import type { Store } from '../store.ts';
import { LogTree } from './log-tree.ts';

const PUBLIC_KEY = createPublicKey(deriveKeys(randomBytes(32)).signingKey);
const COUNT = 3000;

let store: Store;

beforeEach(async () => {
  store = await openSqliteStore(':memory:');
  await append(COUNT);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await store[Symbol.asyncDispose]();
});

let appended = 0;

async function append(count: number): Promise<void> {
  const receipts = Array.from({ length: count }, () => {
    appended += 1;
    const body = ['{"kind":"receipt","seq":', `,"tool":"t${appended}"}`] as const;
    return { id: `id-${appended}`, body, salt: '', args: '' };
  });
  await store.transaction((tx) => tx.append(receipts));
}

describe('LogTree', () => {
  it('gives calls their turn while it hashes', async () => {
    // No time passes: on a busy machine the rest is hashed in one go.
    vi.spyOn(performance, 'now').mockReturnValue(1e6);
    const tree = new LogTree(store, PUBLIC_KEY);
    expect(await turnsUntil(tree.catchUp())).toBeGreaterThan(COUNT / 64 - 5);
    expect(tree.checkpoint.size).toBe(COUNT);
  });

  it('takes no more turns once it has taken long', async () => {
    let now = 1e6;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    expect(await turnsUntil(new LogTree(store, PUBLIC_KEY).catchUp())).toBeLessThan(10);
  });

  it('comes to the same root, however much is added at once, and meanwhile', async () => {
    const [one, other] = [new LogTree(store, PUBLIC_KEY), new LogTree(store, PUBLIC_KEY)];
    await Promise.all([one.catchUp(), append(100)]);
    await append(7);
    await one.catchUp();
    await other.catchUp();
    expect(one.checkpoint).toEqual(other.checkpoint);
    expect(one.checkpoint.size).toBe(COUNT + 107);
  });
});
