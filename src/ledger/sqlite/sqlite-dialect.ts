/** Kysely over `node:sqlite`. One connection; transactions are begun and ended by the store. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

export function sqliteDialect(db: DatabaseSync): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => toDriver(db),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function toDriver(db: DatabaseSync): Driver {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      return run(prepare(sql), parameters as readonly SQLInputValue[]) as QueryResult<R>;
    },
    streamQuery() {
      throw new Error('the ledger reads in pages, not in streams');
    },
  };
  const never = (): Promise<void> =>
    Promise.reject(new Error('transactions are begun by the store, so that they can share a sync'));
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: never,
    commitTransaction: never,
    rollbackTransaction: never,
    destroy: async () => {},
  };
}

function run(statement: StatementSync, parameters: readonly SQLInputValue[]): QueryResult<unknown> {
  if (statement.columns().length > 0) return { rows: statement.all(...parameters) };
  const { changes } = statement.run(...parameters);
  return { rows: [], numAffectedRows: BigInt(changes) };
}
