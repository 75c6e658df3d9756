/** Key records on SQLite and on PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openStore } from '../../src/ledger/open-ledger.ts';
import type { Postgres } from '../support/postgres.ts';
import { openPostgres } from '../support/postgres.ts';
import { keyRecordsContract } from './key-records.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-keys-'));
let postgres: Postgres | undefined;

afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

keyRecordsContract('SQLite', async () => `sqlite:${join(folder, 'ledger.sqlite')}`, openStore);
keyRecordsContract(
  'PostgreSQL',
  async () => {
    postgres = await openPostgres();
    return postgres.url;
  },
  openStore,
);
