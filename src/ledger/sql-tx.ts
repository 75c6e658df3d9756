/**
 * The verbs of the port as SQL that both stores understand. Table and column names come from our types;
 * each SQL text is built once per shape, so that its statement can be prepared once.
 */
import type { SqlStatement, SqlSyntax } from './read-sql.ts';
import { readSql } from './read-sql.ts';
import { indexReceiptsIn } from './receipts/index-receipts.ts';
import { StatementTexts } from './statement-texts.ts';
import type { Query, Tx } from './store.ts';
import type { TableName, Tables } from './tables.ts';

export interface Connection {
  readonly syntax: SqlSyntax;
  readonly now: () => Promise<number>;
  readonly lock: Tx['lock'];
  readonly append: Tx['append'];
  readonly findEqual: Tx['findEqual'];
  readonly run: (text: string, parameters: readonly unknown[]) => Promise<Ran>;
  /** The same for a statement that may fail without ending the transaction. */
  readonly attempt: Connection['run'];
}

export interface Ran {
  readonly rows: readonly Record<string, unknown>[];
  readonly changes: number;
}

/** This many rows go into one statement; the rest are inserted one by one. */
const ROWS_AT_ONCE = 32;

export function toTx({ syntax, now, lock, append, findEqual, run, attempt }: Connection): Tx {
  const spell = (text: string): string => readSql(text, syntax).text;
  const texts = textsOf(syntax);
  const toInsert = (table: string, columns: readonly string[], rows: number): string => {
    const row = `(${columns.map(() => '?').join(', ')})`;
    const values = Array.from({ length: rows }, () => row).join(', ');
    return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}`;
  };
  const tx: Tx = {
    now,
    lock,
    append,
    findEqual,
    async insert(table, row) {
      const columns = Object.keys(row);
      const text = texts.of('insert', table, columns, () =>
        spell(`${toInsert(table, columns, 1)} ON CONFLICT DO NOTHING`),
      );
      const { changes } = await run(text, Object.values(row));
      return changes === 1;
    },
    async insertAll(table, rows) {
      const [first] = rows;
      if (first === undefined) return;
      const columns = Object.keys(first);
      for (let at = 0; at < rows.length;) {
        const count = rows.length - at >= ROWS_AT_ONCE ? ROWS_AT_ONCE : 1;
        const part = rows.slice(at, at + count).flatMap((row) => Object.values(row) as unknown[]);
        const verb = count === 1 ? 'insert one' : 'insert many';
        const text = texts.of(verb, table, columns, () => spell(toInsert(table, columns, count)));
        await run(text, part);
        at += count;
      }
    },
    async update(table, where, set) {
      const [changed, matched] = [Object.keys(set), Object.keys(where)];
      const make = (): string =>
        spell(`UPDATE ${table} SET ${pairs(changed, ', ')} WHERE ${pairs(matched, ' AND ')}`);
      const text = texts.of('update', table, changed, make, matched);
      const { changes } = await run(text, [...Object.values(set), ...Object.values(where)]);
      return changes === 1;
    },
    async remove(table, where) {
      const names = Object.keys(where);
      const text = texts.of('remove', table, names, () =>
        spell(`DELETE FROM ${table} WHERE ${pairs(names, ' AND ')}`),
      );
      return (await run(text, Object.values(where))).changes === 1;
    },
    async find<T extends TableName>(table: T, where: Partial<Tables[T]>) {
      if (table === 'receipts') await indexReceiptsIn(tx);
      const names = Object.keys(where);
      const text = texts.of('find', table, names, () =>
        spell(`SELECT * FROM ${table} WHERE ${pairs(names, ' AND ')} LIMIT 1`),
      );
      const { rows } = await run(text, Object.values(where));
      return rows[0] as Tables[T] | undefined; // a row of that table
    },
    async list<T extends TableName>(table: T, query: Query<T>) {
      if (table === 'receipts') await indexReceiptsIn(tx);
      const { where = {}, above, upTo, orderBy, descending = false, limit } = query;
      const conditions = [
        ...Object.keys(where).map((name) => `${name} = ?`),
        ...(above === undefined ? [] : [`${above.column} > ?`]),
        ...(upTo === undefined ? [] : [`${upTo.column} <= ?`]),
      ];
      const filter = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      const order = `ORDER BY ${orderBy} ${descending ? 'DESC' : 'ASC'} LIMIT ?`;
      const text = texts.of('list', table, [filter, order], () =>
        spell(`SELECT * FROM ${table} ${filter} ${order}`),
      );
      const bounds = [above, upTo].flatMap((bound) => (bound === undefined ? [] : [bound.value]));
      const { rows } = await run(text, [...Object.values(where), ...bounds, limit]);
      return rows as unknown as readonly Tables[T][]; // rows of that table
    },
    async execute(text, parameters = []) {
      const statement = readApplicationSql(text, syntax, parameters.length);
      if (SEARCHES_RECEIPTS.test(text)) await indexReceiptsIn(tx);
      return (await attempt(statement, parameters)).rows;
    },
  };
  return tx;
}

const SEARCHES_RECEIPTS = /\b(?:from|join)\s+receipts\b/i;

/** Others may share the transaction, and would be committed or rolled back with it. */
const ENDS_TRANSACTION =
  /^(?:begin|start|commit|end|rollback|abort|savepoint|release|prepare transaction)\b/;

function readApplicationSql(source: string, syntax: SqlSyntax, given: number): string {
  const { text, parameters, firstWords, hasMore } = statementOf(source, syntax);
  if (ENDS_TRANSACTION.test(firstWords.join(' '))) {
    throw new TypeError('a transaction ends with its work, not with a statement');
  }
  if (hasMore) throw new TypeError('a transaction runs one statement at a time');
  if (parameters === given) return text;
  throw new TypeError(
    `the statement takes ${parameters} parameter${parameters === 1 ? '' : 's'}, and got ${given}`,
  );
}

/** An application's own statements must not accumulate forever. */
const MOST_STATEMENTS = 1000;
const STATEMENTS = new WeakMap<SqlSyntax, Map<string, SqlStatement>>();

function statementOf(source: string, syntax: SqlSyntax): SqlStatement {
  let statements = STATEMENTS.get(syntax);
  const known = statements?.get(source);
  if (known !== undefined) return known;
  if (statements === undefined || statements.size >= MOST_STATEMENTS) {
    STATEMENTS.set(syntax, (statements = new Map<string, SqlStatement>()));
  }
  const statement = readSql(source, syntax);
  statements.set(source, statement);
  return statement;
}

const TEXTS = new WeakMap<SqlSyntax, StatementTexts>();

function textsOf(syntax: SqlSyntax): StatementTexts {
  let texts = TEXTS.get(syntax);
  if (texts === undefined) TEXTS.set(syntax, (texts = new StatementTexts()));
  return texts;
}

function pairs(names: readonly string[], between: string): string {
  return names.map((name) => `${name} = ?`).join(between);
}
