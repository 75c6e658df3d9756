/** The promises of a key on SQLite and on PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Postgres } from '../support/postgres.ts';
import { openPostgres } from '../support/postgres.ts';
import { spendingContract } from './spending.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-spending-'));
let postgres: Postgres | undefined;

afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

spendingContract('SQLite', async () => `sqlite:${join(folder, 'ledger.sqlite')}`);
spendingContract('PostgreSQL', async () => {
  postgres = await openPostgres();
  return postgres.url;
});
