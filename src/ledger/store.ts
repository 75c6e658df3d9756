/**
 * The port to a durable store: few verbs, all inside a transaction. What resolves is durable; what is
 * rejected did not happen, except when the commit result is unknown.
 */
import type { TableName, Tables } from './tables.ts';

export interface Store extends AsyncDisposable {
  readonly kind: 'sqlite' | 'postgres';
  /** `work` may await nothing but the verbs it is given: others share its sync. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

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
   * Counts up without gaps, by `count`, and returns the first number; rolled back if the transaction
   * fails.
   */
  next(counter: string, count?: number): Promise<number>;
  /** The application's own statements, in the same transaction. Parameters are `?` in every dialect. */
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

/** The commit may or may not have happened. Only reading the data shows which. */
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError';
}

/** The store cannot be reached; nothing happened. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}
