/** Answers of people in the log, on SQLite and on PostgreSQL. */
import { afterAll } from 'vitest';
import { openStore } from '../../src/ledger/open-ledger.ts';
import type { Postgres } from '../support/postgres.ts';
import { openPostgres } from '../support/postgres.ts';
import { answersContract } from './audit-answers.contract.ts';

let postgres: Promise<Postgres> | undefined;

afterAll(async () => {
  await (await postgres)?.[Symbol.asyncDispose]();
});

answersContract('SQLite', async () => 'sqlite::memory:');

answersContract('PostgreSQL', async () => {
  postgres ??= openPostgres();
  const { url } = await postgres;
  await using store = await openStore(url);
  await store.transaction(async (tx) => {
    for (const table of [
      'receipt_log',
      'receipt_index',
      'checkpoints',
      'counters',
      'usage_counts',
      'usage_money',
      'approvals',
      'grants',
    ]) {
      await tx.execute(`DELETE FROM ${table}`);
    }
  });
  return url;
});
