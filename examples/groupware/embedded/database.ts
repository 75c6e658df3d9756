/**
 * One SQLite file of the embedded store: opened durably, prepared statements cached by their text,
 * transactions that join the open one. Knows no tables.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';

export type Values = Readonly<Record<string, SQLInputValue>>;
export type Row = Readonly<Record<string, unknown>>;

export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** `path` is a file, or `:memory:`. */
  constructor(path: string) {
    // What accounts hold, and tokens, are for the owner of the process alone.
    if (path !== ':memory:') {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      closeSync(openSync(path, 'a', 0o600));
    }
    this.#db = new DatabaseSync(path, { timeout: 5000 });
    this.#db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;',
    );
  }

  get(sql: string, values: Values = {}): Row | undefined {
    return this.#statement(sql).get(values);
  }

  all(sql: string, values: Values = {}): readonly Row[] {
    return this.#statement(sql).all(values);
  }

  /** How many rows were changed, and the id of the row that was inserted last. */
  run(sql: string, values: Values = {}): { readonly changes: number; readonly id: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
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

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#db.prepare(sql);
    made.setAllowUnknownNamedParameters(true); // optional filters leave some values unused
    this.#statements.set(sql, made);
    return made;
  }
}
