/** 100,000 spoilt uses of approvals, and as many spoilt seals: none is accepted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import { openSqliteStore } from '../../src/ledger/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/ledger/store.ts';
import { tamperWithSeals, tamperWithUses } from './tamper.ts';

const COUNT = 100_000;
let store: Store;

beforeAll(async () => {
  store = await openSqliteStore(':memory:');
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

describe('tampered approvals', () => {
  it('are refused, one spoilt thing at a time, and the good use still works', async () => {
    const result = await tamperWithUses(store, openApprovals(store), COUNT);
    expect(result.accepted).toEqual([]);
    expect(Object.keys(result.tried)).toHaveLength(16);
    expect(Math.min(...Object.values(result.tried))).toBeGreaterThan(COUNT / 100);
    expect(Object.values(result.tried).reduce((a, b) => a + b)).toBeGreaterThanOrEqual(COUNT);
    expect(result.goodAccepted).toBe(result.good);
    expect(result.good).toBeGreaterThan(1000);
  }, 120_000);

  it('are refused in sealed states too', () => {
    const result = tamperWithSeals(COUNT);
    expect(result.accepted).toEqual([]);
    expect(result.goodAccepted).toBe(COUNT);
  }, 60_000);
});
