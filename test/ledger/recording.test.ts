/** Settling and recording on SQLite and on PostgreSQL, with faults. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openPostgresStore } from '../../src/ledger/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/ledger/sqlite/open-sqlite-store.ts';
import type { Postgres } from '../support/postgres.ts';
import { openPostgres } from '../support/postgres.ts';
import { recordingContract } from './recording.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-recording-'));
let postgres: Postgres | undefined;

afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

recordingContract('SQLite', () => openSqliteStore(join(folder, 'ledger.sqlite')));
recordingContract('PostgreSQL', async () => {
  postgres ??= await openPostgres();
  return openPostgresStore(postgres.url);
});
