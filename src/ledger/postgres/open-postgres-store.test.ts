import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyRecordRow, storeContract } from '../../../test/contract/store.contract.ts';
import type { Postgres } from '../../../test/support/postgres.ts';
import { openPostgres } from '../../../test/support/postgres.ts';
import { StoreUnavailableError } from '../store.ts';
import { openPostgresStore } from './open-postgres-store.ts';

let postgres: Postgres;

beforeAll(async () => {
  postgres = await openPostgres();
}, 60_000);

afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
});

storeContract('PostgreSQL', () => openPostgresStore(postgres.url));

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

  it('says that it cannot be reached', async () => {
    const nowhere = openPostgresStore('postgres://nobody@127.0.0.1:1/none');
    await expect(nowhere).rejects.toThrow(StoreUnavailableError);
  });
});
