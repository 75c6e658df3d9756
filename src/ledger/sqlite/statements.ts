/** Runs SQL on one SQLite connection, inside a transaction only; each text is prepared once. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Ran } from '../sql-tx.ts';
import { StoreUnavailableError } from '../store.ts';

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

const BUSY = 5;
const FULL = 13;
const CONSTRAINT = 19;
/** An extended result code. */
const IOERR_WRITE = 778;

/**
 * Result codes that are about the file or the machine and not about the statement: permission, busy,
 * locked, memory, read-only, input and output, corrupt, full, cannot open, protocol, not a database.
 */
const UNAVAILABLE: ReadonlySet<number | undefined> = new Set([
  3,
  BUSY,
  6,
  7,
  8,
  10,
  11,
  FULL,
  14,
  15,
  26,
]);

/** What makes a call fail with `unavailable` is an error of the store; anything else stays as it is. */
export function toStoreError(error: unknown): unknown {
  if (!UNAVAILABLE.has(resultCodeOf(error))) return error;
  const detail = (error as Error).message; // it has a result code
  return new StoreUnavailableError(`the ledger cannot be used: ${detail}`, { cause: error });
}

export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === BUSY;
}

/** Whether a constraint of the application refused the commit, which can go on without what violates it. */
export function isRefusal(error: unknown): boolean {
  return resultCodeOf(error) === CONSTRAINT;
}

/**
 * Whether a commit that failed with it was certainly not done. What marks a commit is written last,
 * so it is incomplete when writing failed; when syncing failed, the next start may find it complete.
 */
export function isCertainFailure(error: unknown): boolean {
  return resultCodeOf(error) === FULL || extendedCodeOf(error) === IOERR_WRITE;
}

/** Without the part that says more precisely what it was. */
function resultCodeOf(error: unknown): number | undefined {
  const code = extendedCodeOf(error);
  return code === undefined ? undefined : code & 0xff;
}

function extendedCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}
