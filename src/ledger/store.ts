/**
 * The port to a durable store: few verbs, all inside a transaction. What resolves is durable; what is
 * rejected did not happen, except when the commit result is unknown.
 */
import type { EqualCall } from './equal-call.ts';
import type { KeyRecordRow, TableName, Tables, UnnumberedReceipt } from './tables.ts';

export interface Store extends AsyncDisposable {
  readonly kind: 'sqlite' | 'postgres';
  /**
   * Others in this process wait for the transaction that runs, which ends early for them if it takes long.
   * Absent where transactions run side by side.
   */
  readonly isAwaited?: boolean;
  /**
   * `work` should await nothing but the verbs it is given: others wait for it. Beyond the limits of
   * the store it is rolled back, and its verbs reject from then on.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, how?: TransactionKind): Promise<T>;
}

export interface TransactionKind {
  /**
   * The work may be run again from the start after a rollback: all that it does, it does through its verbs, and
   * what it has learnt from an earlier run it overwrites.
   */
  readonly isRepeatable?: boolean;
}

/** A search of `receipts` sees every receipt of the log: what is not indexed yet is indexed first. */
export interface Tx {
  /** The store's clock, in milliseconds: the one clock that all its users share. */
  now(): Promise<number>;
  /** Waits until no other transaction holds the lock of this name; held until this one ends. */
  lock(name: string): Promise<void>;
  /** Inserts unless the key exists; returns whether it did. */
  insert<T extends TableName>(table: T, row: Tables[T]): Promise<boolean>;
  /** Inserts rows of one shape, none of which may exist. */
  insertAll<T extends TableName>(table: T, rows: readonly Tables[T][]): Promise<void>;
  /** Compare and set: changes the one row that still matches `where`; returns whether it did. */
  update<T extends TableName>(
    table: T,
    where: Partial<Tables[T]>,
    set: Partial<Tables[T]>,
  ): Promise<boolean>;
  remove<T extends TableName>(table: T, where: Partial<Tables[T]>): Promise<boolean>;
  find<T extends TableName>(table: T, where: Partial<Tables[T]>): Promise<Tables[T] | undefined>;
  list<T extends TableName>(table: T, query: Query<T>): Promise<readonly Tables[T][]>;
  /**
   * Appends to the log. The receipts are numbered without gaps, in the order of the commits, at the
   * end of the transaction: nobody waits for a number that an open transaction has taken.
   */
  append(receipts: readonly UnnumberedReceipt[]): Promise<void>;
  /** The newest key record of an equal call that was made after a time; nobody looks back for more than a day. */
  findEqual(call: EqualCall, since: number): Promise<KeyRecordRow | undefined>;
  /**
   * The application's own statements, in the same transaction, one at a time. Parameters are `?` in
   * every dialect; PostgreSQL's operators with a question mark are written with two. A statement that
   * fails has no effect, and the transaction can go on.
   */
  execute(
    sql: string,
    parameters?: readonly unknown[],
  ): Promise<readonly Record<string, unknown>[]>;
}

export interface Query<T extends TableName> {
  readonly where?: Partial<Tables[T]>;
  /** Only rows whose column is greater, or not greater, than this. */
  readonly above?: { readonly column: keyof Tables[T] & string; readonly value: number | string };
  readonly upTo?: { readonly column: keyof Tables[T] & string; readonly value: number };
  readonly orderBy: keyof Tables[T] & string;
  readonly descending?: boolean;
  readonly limit: number;
}

export interface StoreOpening {
  /** A ledger that is missing is created, and one of an older version migrated; otherwise both are refused. Default: true. */
  readonly migrates?: boolean;
}

export interface StoreLimits {
  /** How long a transaction may stay open while none of its statements runs. */
  readonly idleMs: number;
  /** How long to wait for others: for a lock, for the one writer, or for a connection. */
  readonly lockMs: number;
  /** How long a transaction, or one statement of it, may take altogether. */
  readonly totalMs: number;
}

/** Waiting takes longer than anyone may stay idle, so that a process that stopped does not fail others. */
export const STORE_LIMITS: StoreLimits = Object.freeze({
  idleMs: 5000,
  lockMs: 10_000,
  totalMs: 20_000,
});

/** The commit may or may not have happened. Only reading the data shows which. */
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError';
}

/** The store cannot be reached or written now, or the time is up; nothing happened. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** A transaction was idle for too long, or took too long altogether, by itself. */
export class TransactionLateError extends StoreUnavailableError {}
