/** What is kept of outcomes on SQLite and on PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Postgres } from '../support/postgres.ts';
import { openPostgres } from '../support/postgres.ts';
import { outcomesContract } from './outcomes.contract.ts';
import { sealingContract } from './sealing.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-outcomes-'));
let postgres: Postgres | undefined;

afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const sqlite = async (): Promise<string> => `sqlite:${join(folder, 'ledger.sqlite')}`;
const shared = async (): Promise<string> => {
  postgres ??= await openPostgres();
  return postgres.url;
};

outcomesContract('SQLite', sqlite);
outcomesContract('PostgreSQL', shared);
sealingContract('SQLite', sqlite);
sealingContract('PostgreSQL', shared);
