import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applicationSqlContract } from '../../../test/contract/application-sql.contract.ts';
import {
  keyRecordRow,
  storeContract,
  unnumberedReceipt,
} from '../../../test/contract/store.contract.ts';
import type { Postgres } from '../../../test/support/postgres.ts';
import { openPostgres } from '../../../test/support/postgres.ts';
import type { Tx } from '../store.ts';
import { StoreUnavailableError } from '../store.ts';
import { openPostgresStore } from './open-postgres-store.ts';

let postgres: Postgres;

beforeAll(async () => {
  postgres = await openPostgres();
}, 60_000);

afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
});

storeContract('PostgreSQL', (limits) => openPostgresStore(postgres.url, limits));
applicationSqlContract('PostgreSQL', () => openPostgresStore(postgres.url));

describe('the PostgreSQL store', () => {
  it('is shared by several that open it at once, migrations included', async () => {
    const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(postgres.url)));
    try {
      const won = await Promise.all(
        stores.flatMap((store) =>
          Array.from({ length: 10 }, (_, index) =>
            store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id: `pg${index}` }))),
          ),
        ),
      );
      expect(won.filter(Boolean)).toHaveLength(10);
    } finally {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
    }
  });

  const backendOf = async (tx: Tx): Promise<number> =>
    Number((await tx.execute('SELECT pg_backend_pid() AS pid'))[0]?.['pid']);

  async function killBackend(pid: number): Promise<void> {
    const killer = new pg.Client(postgres.url);
    await killer.connect();
    await killer.query('SELECT pg_terminate_backend($1)', [pid]);
    await killer.end();
    await sleep(100);
  }

  it('survives the loss of a connection within a transaction, and nothing of it happened', async () => {
    await using store = await openPostgresStore(postgres.url);
    const row = keyRecordRow({ id: 'pg-cut' });
    const cut = store.transaction(async (tx) => {
      await tx.insert('key_records', row);
      await killBackend(await backendOf(tx));
      return await tx.now();
    });
    await expect(cut).rejects.toThrow(StoreUnavailableError);
    // The work was over, and the commit had not been sent.
    const late = store.transaction(async (tx) => {
      await tx.insert('key_records', row);
      await killBackend(await backendOf(tx));
    });
    await expect(late).rejects.toThrow(StoreUnavailableError);
    expect(await store.transaction((tx) => tx.find('key_records', { id: row.id }))).toBeUndefined();
  });

  it('lets others append while a transaction that has appended stays open', async () => {
    await using store = await openPostgresStore(postgres.url);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const order: string[] = [];
    const append = async (id: string, until?: Promise<void>): Promise<void> => {
      await store.transaction(async (tx) => {
        await tx.append([unnumberedReceipt({ id })]);
        await until;
      });
      order.push(id);
    };
    const open = append('pg-open', released);
    await append('pg-other');
    release();
    await open;
    expect(order).toEqual(['pg-other', 'pg-open']);
    const rows = await store.transaction((tx) =>
      tx.list('receipts', { orderBy: 'seq', descending: true, limit: 2 }),
    );
    expect(rows.map(({ id }) => id)).toEqual(['pg-open', 'pg-other']);
  });

  it('ends the transaction of a process that no longer does anything', async () => {
    await using store = await openPostgresStore(postgres.url);
    const [row] = await store.transaction((tx) =>
      tx.execute(`SELECT current_setting('idle_in_transaction_session_timeout') AS idle,
        current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement`),
    );
    expect(row).toEqual({ idle: '6s', lock: '10s', statement: '20s' });
  });

  it('gives up waiting for a lock, and a statement that takes too long', async () => {
    await using store = await openPostgresStore(postgres.url, { lockMs: 200, totalMs: 1000 });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
    const holding = store.transaction(async (tx) => {
      await tx.lock('pg-lock');
      isLocked();
      await released;
    });
    await locked;
    const waiting = store.transaction((tx) => tx.lock('pg-lock'));
    await expect(waiting).rejects.toThrow(StoreUnavailableError);
    release();
    await holding;
    const slow = store.transaction((tx) => tx.execute('SELECT pg_sleep(10)'));
    await expect(slow).rejects.toThrow(StoreUnavailableError);
  });

  it('gives up waiting for a connection', async () => {
    await using store = await openPostgresStore(postgres.url, { lockMs: 300 });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const all = Array.from({ length: 16 }, () => store.transaction(() => released));
    await expect(store.transaction((tx) => tx.now())).rejects.toThrow('are in use');
    release();
    await Promise.all(all);
    expect(await store.transaction((tx) => tx.now())).toBeGreaterThan(0);
  });

  it('says that it cannot be reached', async () => {
    const nowhere = openPostgresStore('postgres://nobody@127.0.0.1:1/none');
    await expect(nowhere).rejects.toThrow(StoreUnavailableError);
  });
});
