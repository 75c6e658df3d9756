import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { usageCountsContract } from '../../../test/ledger/usage-counts.contract.ts';
import type { Postgres } from '../../../test/support/postgres.ts';
import { openPostgres } from '../../../test/support/postgres.ts';
import { openPostgresStore } from '../postgres/open-postgres-store.ts';
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-counts-'));
let postgres: Postgres;

beforeAll(async () => {
  postgres = await openPostgres();
}, 60_000);

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await postgres[Symbol.asyncDispose]();
});

usageCountsContract('SQLite', () => openSqliteStore(join(folder, 'ledger.sqlite')));
usageCountsContract('PostgreSQL', () => openPostgresStore(postgres.url));
