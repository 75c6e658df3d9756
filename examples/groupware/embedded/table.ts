/**
 * The rows of one kind of object, each owned by one user. Every change raises the row's version, from
 * which its etag is made, in the transaction that makes the change.
 */
import { createHash } from 'node:crypto';
import type { SQLInputValue } from 'node:sqlite';
import { stale } from '../refuse.ts';
import type { Database, Row, Values } from '../../shared/database.ts';

/** How columns are stored that SQLite has no type for. */
export interface RowShape {
  readonly json?: readonly string[];
  readonly flags?: readonly string[];
}

export class Table<T extends { readonly id: number; readonly etag: string }> {
  readonly #db: Database;
  readonly #name: string;
  readonly #kind: string;
  readonly #shape: RowShape;

  /** `name` and column names come from this program, never from a request. */
  constructor(db: Database, name: string, kind: string, shape: RowShape = {}) {
    this.#db = db;
    this.#name = name;
    this.#kind = kind;
    this.#shape = shape;
  }

  find(user: string, id: number): T | undefined {
    const row = this.#db.get(`SELECT * FROM ${this.#name} WHERE id = :id AND user = :user`, {
      id,
      user,
    });
    return row === undefined ? undefined : this.#read(row);
  }

  /** `rest` continues the WHERE clause. */
  select(user: string, rest = '', values: Values = {}): readonly T[] {
    const sql = `SELECT * FROM ${this.#name} WHERE user = :user ${rest}`;
    return this.#db.all(sql, { ...values, user }).map((row) => this.#read(row));
  }

  insert(user: string, fields: object): T {
    const values = { ...this.#write(fields), user };
    const columns = Object.keys(values);
    const places = columns.map((column) => `:${column}`).join(', ');
    const quoted = columns.map(quote).join(', ');
    return this.#db.atomically(() => {
      const { id } = this.#db.run(
        `INSERT INTO ${this.#name} (${quoted}) VALUES (${places})`,
        values,
      );
      return this.#reread(user, id);
    });
  }

  /** `undefined` if there is none; refused if `etag` is given and not the current one. */
  update(user: string, id: number, changes: object, etag?: string): T | undefined {
    return this.#db.atomically(() => {
      const before = this.find(user, id);
      if (before === undefined) return undefined;
      if (etag !== undefined && etag !== before.etag) throw stale(this.#kind, id, before.etag);
      const values = this.#write(changes);
      const sets = Object.keys(values).map((column) => `, ${quote(column)} = :${column}`);
      this.#db.run(
        `UPDATE ${this.#name} SET version = version + 1${sets.join('')} WHERE id = :id`,
        { ...values, id },
      );
      return this.#reread(user, id);
    });
  }

  remove(user: string, id: number): boolean {
    const sql = `DELETE FROM ${this.#name} WHERE id = :id AND user = :user`;
    return this.#db.run(sql, { id, user }).changes > 0;
  }

  #reread(user: string, id: number): T {
    const row = this.find(user, id);
    if (row === undefined) throw new Error(`${this.#name} ${id} is gone within its transaction`);
    return row;
  }

  #write(fields: object): Record<string, SQLInputValue> {
    const entries = Object.entries(fields).map(([name, value]: [string, unknown]) => {
      if (this.#shape.json?.includes(name)) return [name, JSON.stringify(value)] as const;
      if (this.#shape.flags?.includes(name)) return [name, value === true ? 1 : 0] as const;
      return [name, value as SQLInputValue] as const; // strings, numbers and null, as the schema has them
    });
    return Object.fromEntries(entries);
  }

  /** The schema and the shape make it a `T`. */
  #read({ user, version, ...row }: Row): T {
    void user;
    const entries = Object.entries(row).map(([name, value]) => {
      if (this.#shape.json?.includes(name)) return [name, JSON.parse(String(value))] as const;
      return [name, this.#shape.flags?.includes(name) ? value === 1 : value] as const;
    });
    const etag = toEtag(this.#name, row['id'], version);
    return Object.freeze({ ...Object.fromEntries(entries), etag }) as T;
  }
}

/** A tag that says nothing about what it was made from. */
export function toEtag(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

function quote(column: string): string {
  return `"${column}"`;
}
