/**
 * One SQLite file: opened durably, with prepared statements cached by their text, and transactions that
 * join the open one. Knows no tables.
 */
import { randomUUID } from 'node:crypto';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';

export type Values = Readonly<Record<string, SQLInputValue>>;
export type Row = Readonly<Record<string, unknown>>;

export class Database implements Disposable {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** `path` is a file, or `:memory:`. */
  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: 5000 });
    try {
      this.#db.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;',
      );
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  get(sql: string, values: Values = {}): Row | undefined {
    return this.#statement(sql).get(values);
  }

  all(sql: string, values: Values = {}): readonly Row[] {
    return this.#statement(sql).all(values);
  }

  /** How many rows were changed. */
  run(sql: string, values: Values = {}): number {
    return Number(this.#statement(sql).run(values).changes);
  }

  /** Table and column names come from this program, never from a request. */
  insert(table: string, row: Values): void {
    const columns = Object.keys(row);
    const places = columns.map((column) => `:${column}`).join(', ');
    this.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, row);
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

export function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

interface RowShape {
  /** Columns that contain JSON. */
  readonly json?: readonly string[];
  /** Columns that contain 0 or 1. */
  readonly flags?: readonly string[];
}

/** A row as frozen data. Callers state its type, which the schema and the selected columns guarantee. */
export function fromRow(row: Row, { json = [], flags = [] }: RowShape = {}): object {
  const entries = Object.entries(row).map(([name, value]) => {
    if (json.includes(name) && typeof value === 'string') {
      return [name, frozen(JSON.parse(value))] as const;
    }
    return [name, flags.includes(name) ? value === 1 : value] as const;
  });
  return Object.freeze(Object.fromEntries(entries));
}

function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
}
