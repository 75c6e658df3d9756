/** A PostgreSQL ledger whose server, or the line to it, fails: what is known is told, and it recovers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/ledger/postgres/open-postgres-store.ts';
import type { Store } from '../../src/ledger/store.ts';
import { CommitUnknownError, StoreUnavailableError } from '../../src/ledger/store.ts';
import { keyRecordRow, unnumberedReceipt } from '../contract/store.contract.ts';
import type { LineFault } from '../support/faulty-line.ts';
import { openFaultyLine } from '../support/faulty-line.ts';
import type { Cluster } from '../support/postgres.ts';
import { openCluster, openPostgres } from '../support/postgres.ts';

const spend = (store: Store, id: string): Promise<boolean> =>
  store.transaction(async (tx) => {
    await tx.append([unnumberedReceipt({ id })]);
    return tx.insert('key_records', keyRecordRow({ id }));
  });

/** Which of them are there, with key record and receipt; a half would be an error. */
async function keptOf(store: Store, ids: readonly string[]): Promise<readonly string[]> {
  return store.transaction(async (tx) => {
    const kept: string[] = [];
    for (const id of ids) {
      const [record, receipt] = [
        await tx.find('key_records', { id }),
        await tx.find('receipts', { id }),
      ];
      expect(record === undefined).toBe(receipt === undefined);
      if (record !== undefined) kept.push(id);
    }
    return kept;
  });
}

describe('a line that breaks', () => {
  it.each([
    ['cut-before-commit', []],
    ['cut-after-commit', ['doubtful']],
    ['silent-after-commit', ['doubtful']],
  ] satisfies [LineFault, string[]][])(
    'at the commit (%s) leaves it unknown, and reading shows which',
    async (fault, kept) => {
      await using postgres = await openPostgres();
      await using line = await openFaultyLine(postgres.url);
      await using store = await openPostgresStore(line.url, { totalMs: 500 });
      expect(await spend(store, 'before')).toBe(true);
      line.fault = fault;
      await expect(spend(store, 'doubtful')).rejects.toThrow(CommitUnknownError);
      line.fault = 'none';
      expect(await spend(store, 'after')).toBe(true);
      expect(await keptOf(store, ['before', 'doubtful', 'after'])).toEqual([
        'before',
        ...kept,
        'after',
      ]);
    },
  );

  it('and goes silent before the commit changes nothing, and does not wait forever', async () => {
    await using postgres = await openPostgres();
    await using line = await openFaultyLine(postgres.url);
    await using store = await openPostgresStore(line.url, { totalMs: 500 });
    const cut = store.transaction(async (tx) => {
      await tx.insert('key_records', keyRecordRow({ id: 'cut' }));
      line.fault = 'silent';
      await tx.now();
    });
    await expect(cut).rejects.toThrow(StoreUnavailableError);
    line.fault = 'none';
    expect(await spend(store, 'after')).toBe(true);
    expect(await keptOf(store, ['cut'])).toEqual([]);
  });
});

describe('a server that is restarted at once, while there are transactions', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await openCluster();
  }, 60_000);

  afterAll(() => cluster[Symbol.asyncDispose]());

  it('loses nothing that was committed, and the store goes on', async () => {
    await using store = await openPostgresStore(`${cluster.address}/postgres`);
    const [kept, lost, unknown]: [string[], string[], string[]] = [[], [], []];
    const over = new AbortController();
    const client = async (name: string): Promise<void> => {
      for (let index = 0; !over.signal.aborted; index += 1) {
        const id = `${name}-${index}`;
        await spend(store, id).then(
          () => kept.push(id),
          (error: unknown) => {
            if (error instanceof CommitUnknownError) return unknown.push(id);
            expect(error).toBeInstanceOf(StoreUnavailableError);
            return lost.push(id);
          },
        );
        if (lost.at(-1) === id) await sleep(20);
      }
    };
    const clients = Array.from({ length: 8 }, (_, index) => client(`c${index}`));
    for (let round = 0; round < 3; round += 1) {
      const before = kept.length;
      await expect.poll(() => kept.length).toBeGreaterThan(before + 20);
      await cluster.restart();
    }
    const before = kept.length;
    await expect.poll(() => kept.length).toBeGreaterThan(before + 20);
    over.abort();
    await Promise.all(clients);
    expect(lost.length).toBeGreaterThan(0);
    expect(await keptOf(store, lost)).toEqual([]);
    expect(await keptOf(store, kept)).toEqual(kept);
    const found = await keptOf(store, unknown);
    const [receipts] = await store.transaction((tx) =>
      tx.execute('SELECT COUNT(*) AS n, MAX(seq) + 1 AS next FROM receipts'),
    );
    const count = kept.length + found.length;
    expect(receipts).toEqual({ n: count, next: count });
  }, 60_000);
});
