import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applicationSqlContract } from '../../../test/contract/application-sql.contract.ts';
import { keyRecordRow, storeContract } from '../../../test/contract/store.contract.ts';
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

  it('says that it cannot be reached', async () => {
    const nowhere = openPostgresStore('postgres://nobody@127.0.0.1:1/none');
    await expect(nowhere).rejects.toThrow(StoreUnavailableError);
  });
});
