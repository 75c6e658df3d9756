/** Brings a store to the newest version, once, whoever opens it first. */
import { MIGRATIONS } from './migrations.ts';
import type { Tx } from './store.ts';

export async function migrate(tx: Tx): Promise<void> {
  await tx.execute('CREATE TABLE IF NOT EXISTS ledger_version (version BIGINT PRIMARY KEY)');
  const [row] = await tx.execute('SELECT MAX(version) AS version FROM ledger_version');
  const version = Number(row?.['version'] ?? 0);
  const newest = MIGRATIONS.at(-1)?.version ?? 0;
  if (version > newest) {
    throw new Error(`this ledger is of version ${version}, newer than this program knows`);
  }
  for (const migration of MIGRATIONS.filter((each) => each.version > version)) {
    for (const statement of migration.statements) {
      if (typeof statement === 'string') await tx.execute(statement);
      else await statement(tx);
    }
    await tx.execute('INSERT INTO ledger_version (version) VALUES (?)', [migration.version]);
  }
}
