/**
 * One SQLite file: opened durably, with prepared statements cached by their text, and transactions that
 * join the open one. Knows no tables.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';

export type Values = Readonly<Record<string, SQLInputValue>>;
export type Row = Readonly<Record<string, unknown>>;

/** `R` is what the schema guarantees of every row. */
export class Database<R extends Row = Row> implements Disposable {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** `path` is a file, or `:memory:`. */
  constructor(path: string) {
    // What accounts hold, and tokens, are for the owner of the process alone.
    if (path !== ':memory:') {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      closeSync(openSync(path, 'a', 0o600));
    }
    this.#db = new DatabaseSync(path, { timeout: 10_000 });
    try {
      this.#db.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;',
      );
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  get(sql: string, values: Values = {}): R | undefined {
    return this.#statement(sql).get(values) as R | undefined;
  }

  all(sql: string, values: Values = {}): readonly R[] {
    return this.#statement(sql).all(values) as readonly Row[] as readonly R[];
  }

  /** How many rows were changed, and the id of the row that was inserted last. */
  run(sql: string, values: Values = {}): { readonly changes: number; readonly id: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** Table and column names come from this program, never from a request. */
  insert(table: string, row: Values): void {
    const columns = Object.keys(row);
    const places = columns.map((column) => `:${column}`).join(', ');
    this.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, row);
  }

  update(table: string, id: string, row: Values): void {
    const places = Object.keys(row).map((column) => `${column} = :${column}`);
    this.run(`UPDATE ${table} SET ${places.join(', ')} WHERE id = :id`, { ...row, id });
  }

  execute(script: string): void {
    this.#db.exec(script);
  }

  /** All or nothing. The write lock is taken first, so that what is read cannot change meanwhile. */
  atomically<T>(work: () => T): T {
    if (this.#db.isTransaction) return work();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#db.prepare(sql);
    // Optional filters leave some values unused in the text.
    made.setAllowUnknownNamedParameters(true);
    this.#statements.set(sql, made);
    return made;
  }
}
