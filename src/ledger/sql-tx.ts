/**
 * The verbs of the port as SQL that both stores understand. Table and column names come from our types;
 * each SQL text is built once per shape, so that its statement can be prepared once.
 */
import type { Query, Tx } from './store.ts';
import type { TableName, Tables } from './tables.ts';

export interface Connection {
  readonly now: () => Promise<number>;
  readonly lock: Tx['lock'];
  /** The n-th parameter in this store's syntax. */
  readonly parameter: (position: number) => string;
  readonly run: (text: string, parameters: readonly unknown[]) => Promise<Ran>;
}

export interface Ran {
  readonly rows: readonly Record<string, unknown>[];
  readonly changes: number;
}

/** This many rows go into one statement; the rest are inserted one by one. */
const ROWS_AT_ONCE = 32;

export function toTx({ now, lock, parameter, run }: Connection): Tx {
  const spell = (text: string): string => {
    let position = 0;
    return text.replaceAll('?', () => parameter((position += 1)));
  };
  const insertText = (table: string, columns: readonly string[], rows: number): string =>
    textOf(parameter, `insert ${table} ${rows} ${columns.join(' ')}`, () => {
      const row = `(${columns.map(() => '?').join(', ')})`;
      const values = Array.from({ length: rows }, () => row).join(', ');
      return spell(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}`);
    });
  return {
    now,
    lock,
    async insert(table, row) {
      const text = insertText(table, Object.keys(row), 1);
      const { changes } = await run(`${text} ON CONFLICT DO NOTHING`, Object.values(row));
      return changes === 1;
    },
    async insertAll(table, rows) {
      const [first] = rows;
      if (first === undefined) return;
      const columns = Object.keys(first);
      for (let at = 0; at < rows.length;) {
        const count = rows.length - at >= ROWS_AT_ONCE ? ROWS_AT_ONCE : 1;
        const part = rows.slice(at, at + count).flatMap((row) => Object.values(row) as unknown[]);
        await run(insertText(table, columns, count), part);
        at += count;
      }
    },
    async update(table, where, set) {
      const key = `update ${table} ${keyOf(set)} where ${keyOf(where)}`;
      const text = textOf(parameter, key, () =>
        spell(`UPDATE ${table} SET ${pairs(set, ', ')} WHERE ${pairs(where, ' AND ')}`),
      );
      const { changes } = await run(text, [...Object.values(set), ...Object.values(where)]);
      return changes === 1;
    },
    async remove(table, where) {
      const text = textOf(parameter, `remove ${table} ${keyOf(where)}`, () =>
        spell(`DELETE FROM ${table} WHERE ${pairs(where, ' AND ')}`),
      );
      return (await run(text, Object.values(where))).changes === 1;
    },
    async find<T extends TableName>(table: T, where: Partial<Tables[T]>) {
      const text = textOf(parameter, `find ${table} ${keyOf(where)}`, () =>
        spell(`SELECT * FROM ${table} WHERE ${pairs(where, ' AND ')} LIMIT 1`),
      );
      const { rows } = await run(text, Object.values(where));
      return rows[0] as Tables[T] | undefined; // a row of that table
    },
    async list<T extends TableName>(table: T, query: Query<T>) {
      const { where = {}, above, upTo, orderBy, descending = false, limit } = query;
      const conditions = [
        ...Object.keys(where).map((name) => `${name} = ?`),
        ...(above === undefined ? [] : [`${above.column} > ?`]),
        ...(upTo === undefined ? [] : [`${upTo.column} <= ?`]),
      ];
      const filter = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      const order = `ORDER BY ${orderBy} ${descending ? 'DESC' : 'ASC'} LIMIT ?`;
      const text = textOf(parameter, `list ${table} ${filter} ${order}`, () =>
        spell(`SELECT * FROM ${table} ${filter} ${order}`),
      );
      const bounds = [above, upTo].flatMap((bound) => (bound === undefined ? [] : [bound.value]));
      const { rows } = await run(text, [...Object.values(where), ...bounds, limit]);
      return rows as unknown as readonly Tables[T][]; // rows of that table
    },
    async next(counter, count = 1) {
      const text = textOf(parameter, 'next', () =>
        spell(`INSERT INTO counters (name, value) VALUES (?, ?)
          ON CONFLICT (name) DO UPDATE SET value = counters.value + excluded.value
          RETURNING value`),
      );
      const { rows } = await run(text, [counter, count]);
      return Number(rows[0]?.['value']) - count;
    },
    async execute(text, parameters = []) {
      if (ENDS_TRANSACTION.test(text)) {
        throw new TypeError('a transaction ends with its work, not with a statement');
      }
      return (await run(spell(text), parameters)).rows;
    },
  };
}

/** Ignoring comments. Others may share the transaction, and would be committed or rolled back with it. */
const ENDS_TRANSACTION =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:begin|commit|end|rollback|abort|savepoint|release)\b/i;

/** One per parameter syntax, of which each store has one. */
const TEXTS = new WeakMap<Connection['parameter'], Map<string, string>>();

function textOf(parameter: Connection['parameter'], key: string, make: () => string): string {
  let texts = TEXTS.get(parameter);
  if (texts === undefined) TEXTS.set(parameter, (texts = new Map<string, string>()));
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = make();
  texts.set(key, text);
  return text;
}

function keyOf(row: object): string {
  return Object.keys(row).join(' ');
}

function pairs(row: object, between: string): string {
  return Object.keys(row)
    .map((name) => `${name} = ?`)
    .join(between);
}
