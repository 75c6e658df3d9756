/** Documents of one account: customers, cards, products, plans, subscriptions, coupons, endpoints, events. */
import { randomUUID } from 'node:crypto';
import type { Doc, Documents, Kind } from '../documents.ts';
import type { Database, Row } from './database.ts';
import type { PageQuery } from './page.ts';
import { cutPage } from './page.ts';

export interface Filter {
  /** A field of the document. */
  readonly field: string;
  readonly is?: string | number | boolean | null;
  readonly oneOf?: readonly string[];
  readonly above?: number;
  /** The field is a list with this in it. */
  readonly contains?: string;
}

export interface ListQuery extends PageQuery {
  readonly filters?: readonly Filter[];
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  /** Fields that hold this text, in any case. */
  readonly search?: { readonly fields: readonly string[]; readonly text: string } | undefined;
  readonly sort?: string | undefined;
  readonly deleted?: boolean | undefined;
}

export class Objects {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add<K extends Kind>(
    account: string,
    kind: K,
    at: Date,
    fields: Fields<K>,
    id?: string,
  ): Documents[K] {
    const own = id ?? randomUUID();
    const time = at.toISOString();
    this.#db.insert('objects', {
      id: own,
      account,
      kind,
      created_at: time,
      updated_at: time,
      data: JSON.stringify(fields),
    });
    return this.get(account, kind, own);
  }

  find<K extends Kind>(
    account: string,
    kind: K,
    id: string,
    deleted = false,
  ): Documents[K] | undefined {
    const row = this.#db.get(
      `SELECT * FROM objects WHERE id = :id AND account = :account AND kind = :kind
       AND (:deleted OR deleted_at IS NULL)`,
      { id, account, kind, deleted: deleted ? 1 : 0 },
    );
    return row === undefined ? undefined : fromRow(kind, row);
  }

  /** For what is known to exist. */
  get<K extends Kind>(account: string, kind: K, id: string): Documents[K] {
    const found = this.find(account, kind, id, true);
    if (found === undefined) throw new Error(`${kind} ${id} has disappeared from the store`);
    return found;
  }

  /** Changes the given fields and keeps the others. */
  update<K extends Kind>(
    account: string,
    kind: K,
    id: string,
    at: Date,
    fields: Fields<K>,
  ): Documents[K] {
    return this.#db.atomically(() => {
      const data = JSON.stringify({ ...fieldsOf(this.get(account, kind, id)), ...fields });
      this.#db.run('UPDATE objects SET data = :data, updated_at = :at WHERE id = :id', {
        id,
        at: at.toISOString(),
        data,
      });
      return this.get(account, kind, id);
    });
  }

  remove(account: string, kind: Kind, id: string, at: Date): void {
    this.#db.run(
      `UPDATE objects SET deleted_at = :at WHERE id = :id AND account = :account AND kind = :kind
       AND deleted_at IS NULL`,
      { id, account, kind, at: at.toISOString() },
    );
  }

  /** Everything that fits, oldest first. */
  all<K extends Kind>(
    account: string,
    kind: K,
    filters: readonly Filter[] = [],
  ): readonly Documents[K][] {
    const { where, values } = toWhere(account, kind, { filters });
    const rows = this.#db.all(
      `SELECT * FROM objects WHERE ${where.join(' AND ')} ORDER BY seq`,
      values,
    );
    return rows.map((row) => fromRow(kind, row));
  }

  list<K extends Kind>(account: string, kind: K, query: ListQuery) {
    const [field = 'created_at', direction] = toSort(query.sort);
    const sort = ['created_at', 'updated_at'].includes(field) ? 'seq' : extract(field);
    const cut = cutPage(
      this.#db,
      { table: 'objects', ...toWhere(account, kind, query), sort },
      { ...query, direction },
    );
    return cut.kind === 'rows' ? { ...cut, rows: cut.rows.map((row) => fromRow(kind, row)) } : cut;
  }
}

type Fields<K extends Kind> = Partial<Omit<Documents[K], keyof Doc>>;

/** `amount[asc]` or `amount:asc`; descending unless it says otherwise. */
function toSort(text: string | undefined): readonly [string | undefined, 'asc' | 'desc'] {
  const [, field, direction] = /^(\w+)(?:\[|:)?(asc|desc)?\]?$/.exec(text ?? '') ?? [];
  return [field, direction === 'asc' ? 'asc' : 'desc'];
}

function toWhere(account: string, kind: Kind, query: ListQuery) {
  const where = ['account = :account', 'kind = :kind'];
  const values: Record<string, string | number | null> = { account, kind };
  if (query.deleted !== true) where.push('deleted_at IS NULL');
  if (query.created_after !== undefined) {
    where.push('created_at >= :after');
    values['after'] = new Date(query.created_after).toISOString();
  }
  if (query.created_before !== undefined) {
    where.push('created_at < :before');
    values['before'] = new Date(query.created_before).toISOString();
  }
  for (const [index, { field, is, oneOf, above, contains }] of (query.filters ?? []).entries()) {
    const name = `f${index}`;
    if (oneOf !== undefined) {
      where.push(`${extract(field)} IN (SELECT value FROM json_each(:${name}))`);
      values[name] = JSON.stringify(oneOf);
    } else if (above !== undefined) {
      where.push(`${extract(field)} > :${name}`);
      values[name] = above;
    } else if (contains !== undefined) {
      where.push(`:${name} IN (SELECT value FROM json_each(${extract(field)}))`);
      values[name] = contains;
    } else if (is === null) where.push(`${extract(field)} IS NULL`);
    else {
      where.push(`${extract(field)} = :${name}`);
      values[name] = typeof is === 'boolean' ? Number(is) : (is ?? null);
    }
  }
  if (query.search !== undefined) {
    const parts = query.search.fields.map((field) => `instr(lower(${extract(field)}), :search)`);
    where.push(parts.map((part) => `coalesce(${part}, 0) > 0`).join(' OR '));
    values['search'] = query.search.text.toLowerCase();
  }
  return { where, values };
}

/** Field names are this program's own; a caller's sort field goes through a list of them first. */
function extract(field: string): string {
  return `json_extract(data, '$.${field}')`;
}

/** True by what `add` and `update` accept. */
function fromRow<K extends Kind>(kind: K, row: Row): Documents[K] {
  const { id, created_at, updated_at, deleted_at, data } = row;
  const fields = JSON.parse(String(data)) as object;
  return Object.freeze({
    id: String(id),
    object: kind,
    ...fields,
    created_at: String(created_at),
    updated_at: String(updated_at),
    deleted_at: deleted_at === null ? null : String(deleted_at),
  }) as unknown as Documents[K];
}

function fieldsOf(doc: Doc): object {
  const { id: _, object: _o, created_at: _c, updated_at: _u, deleted_at: _d, ...fields } = doc;
  return fields;
}
