/** The SQLite file of the store: durable, one writer at a time, transactions that join the open one. */
import type { StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';

/** No table holds bytes, and no number is beyond what a double holds. */
export type Row = Readonly<Record<string, string | number | null>>;

export class Database implements Disposable {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: 10_000 });
    this.#db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;',
    );
  }

  execute(script: string): void {
    this.#db.exec(script);
  }

  first(sql: string, values: Row = {}): Row | undefined {
    return this.#prepare(sql).get(values) as Row | undefined;
  }

  rows(sql: string, values: Row = {}): readonly Row[] {
    return this.#prepare(sql).all(values) as Row[];
  }

  change(sql: string, values: Row = {}): number {
    return Number(this.#prepare(sql).run(values).changes);
  }

  /** Names of tables and columns are this program's own, never a caller's. */
  add(table: string, row: Row): void {
    const names = Object.keys(row);
    const places = names.map((name) => `:${name}`);
    this.change(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`, row);
  }

  set(table: string, id: string, row: Row): void {
    const places = Object.keys(row).map((name) => `${name} = :${name}`);
    this.change(`UPDATE ${table} SET ${places.join(', ')} WHERE id = :id`, { ...row, id });
  }

  /** All or nothing; nobody else writes meanwhile. */
  atomically<T>(work: () => T): T {
    if (this.#db.isTransaction) return work();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const done = work();
      this.#db.exec('COMMIT');
      return done;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  [Symbol.dispose](): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
