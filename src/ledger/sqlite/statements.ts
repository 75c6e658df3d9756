/** Runs SQL on one SQLite connection, inside a transaction only; each text is prepared once. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Ran } from '../sql-tx.ts';
import { StoreUnavailableError } from '../store.ts';
import { toStoreError } from './to-store-error.ts';

export type Statements = (text: string, parameters: readonly unknown[]) => Ran;

interface Prepared {
  readonly statement: StatementSync;
  readonly givesRows: boolean;
}

/** An application's own statements must not accumulate forever. */
const MOST_PREPARED = 1000;

export function openStatements(db: DatabaseSync): Statements {
  const prepared = new Map<string, Prepared>();
  const prepare = (text: string): Prepared => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    if (prepared.size >= MOST_PREPARED) prepared.clear();
    const statement = db.prepare(text);
    const made = { statement, givesRows: statement.columns().length > 0 };
    prepared.set(text, made);
    return made;
  };
  return (text, parameters) => {
    // After SQLite has rolled back by itself, a statement would be committed on its own.
    if (!db.isTransaction) throw new StoreUnavailableError('the transaction was rolled back');
    try {
      const { statement, givesRows } = prepare(text);
      const values = parameters as readonly SQLInputValue[]; // numbers and texts, by the row types
      if (givesRows) return { rows: statement.all(...values), changes: 0 };
      return { rows: [], changes: Number(statement.run(...values).changes) };
    } catch (error) {
      throw toStoreError(error);
    }
  };
}
