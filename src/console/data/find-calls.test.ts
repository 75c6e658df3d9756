import { afterAll, describe, expect, it } from 'vitest';
import type { Postgres } from '../../../test/support/postgres.ts';
import { openPostgres } from '../../../test/support/postgres.ts';
import { callReceipt, keepCalls, waitingReceipt } from '../../../test/console/calls-fixture.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { openPostgresStore } from '../../ledger/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../ledger/sqlite/open-sqlite-store.ts';
import type { Store } from '../../ledger/store.ts';
import { indexReceipts } from '../../ledger/receipts/index-receipts.ts';
import type { CallFilter } from './call-filter.ts';
import { findCalls } from './find-calls.ts';
import { findCallsContract } from '../../../test/console/find-calls.contract.ts';

const databases: Postgres[] = [];

afterAll(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]();
});

findCallsContract('SQLite', () => openSqliteStore(':memory:'));
findCallsContract('PostgreSQL', async () => {
  const database = await openPostgres();
  databases.push(database);
  return openPostgresStore(database.url);
});

/** Lets everything through and notes the statements on the way. */
function listening(store: Store, heard: string[]): Store {
  return {
    kind: store.kind,
    transaction: (work) =>
      store.transaction((tx) =>
        work({
          ...tx,
          execute: (sql, parameters) => {
            heard.push(sql);
            return tx.execute(sql, parameters);
          },
        }),
      ),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

it.each([0, 1, 2, 3, 4, 5, 6])(
  'gives a question once, by its last receipt, unless every poll is wanted, with %i indexed',
  async (indexed) => {
    await using ledger = await openLedger('sqlite::memory:', { checkpointSeconds: 3600 });
    const receipts = [
      waitingReceipt('a'),
      waitingReceipt('b'),
      waitingReceipt('a'),
      callReceipt({ operation: 'approvals.answer', tier: 'compute', approval: 'b' }),
      callReceipt({ tier: 'destructive', approval: 'a' }),
      callReceipt({ tier: 'read' }),
    ];
    await keepCalls(ledger, receipts.slice(0, indexed));
    await indexReceipts(ledger.store);
    await keepCalls(ledger, receipts.slice(indexed));
    const list = async (filter: CallFilter, polls?: true): Promise<readonly string[]> => {
      const found: string[] = [];
      for (let before = 100; ;) {
        const init = { before, limit: 1, ...(polls && { polls }) };
        const { calls, next } = await findCalls(ledger.store, filter, init);
        found.push(...calls.map(({ approval, decision }) => `${approval} ${decision}`));
        if (next === undefined) return found;
        before = next;
      }
    };
    expect(await list({ tier: 'destructive' })).toEqual(['a ran', 'b waiting']);
    expect(await list({ decision: 'waiting' })).toEqual(['b waiting']);
    expect(await list({})).toHaveLength(4);
    expect(await list({}, true)).toHaveLength(6);
  },
);

it('looks no further for the last receipt of a question than a page reads', async () => {
  await using ledger = await openLedger('sqlite::memory:', { checkpointSeconds: 3600 });
  const between = Array.from({ length: 5 }, () => callReceipt());
  await keepCalls(ledger, [waitingReceipt('a'), ...between, waitingReceipt('a')]);
  const list = (mostUnindexed: number) =>
    findCalls(ledger.store, {}, { before: 1, limit: 5, mostUnindexed });
  expect(await list(5)).toMatchObject({ calls: [{ seq: 0 }] });
  expect(await list(6)).toMatchObject({ calls: [] });
  await indexReceipts(ledger.store);
  expect(await list(5)).toMatchObject({ calls: [] });
});

describe('the way to calls', () => {
  it.each([
    [{ server: 'shop' }, 'receipts_server'],
    [{ operation: 'pay' }, 'receipts_operation'],
    [{ principal: 'mia' }, 'receipts_principal'],
    [{ tier: 'destructive' }, 'receipts_tier'],
    [{ decision: 'declined' }, 'receipts_decision'],
    [{ outcome: 'forbidden' }, 'receipts_outcome'],
    [{ openWorld: true }, 'receipts_open_world'],
    [{ since: 1, until: 2 }, 'receipts_time'],
  ] as const)(
    'for %j leads through the index %s, and never through a whole table',
    async (filter, index) => {
      await using store = await openSqliteStore(':memory:');
      const heard: string[] = [];
      await findCalls(listening(store, heard), filter, { limit: 5 });
      const plans = await store.transaction(async (tx) => {
        const lines: string[] = [];
        for (const sql of heard) {
          const values = Array.from(sql.matchAll(/\?/g), () => 0);
          const plan = await tx.execute(`EXPLAIN QUERY PLAN ${sql}`, values);
          lines.push(...plan.map(({ detail }) => String(detail)));
        }
        return lines;
      });
      expect(plans.filter((line) => line.includes(`INDEX ${index} `))).not.toEqual([]);
      expect(plans.filter((line) => /SCAN receipts|TEMP B-TREE/.test(line))).toEqual([]);
    },
  );
});
