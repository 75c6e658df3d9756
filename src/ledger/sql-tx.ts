/** The verbs of the port as SQL, for any dialect of Kysely. Table and column names come from our types. */
import type { Kysely, RawBuilder } from 'kysely';
import { CompiledQuery, sql } from 'kysely';
import type { Query, Tx } from './store.ts';
import type { TableName, Tables } from './tables.ts';

export interface Dialect {
  readonly now: () => Promise<number>;
  /** How this dialect spells the n-th parameter. */
  readonly parameter: (position: number) => string;
}

export function toTx(db: Kysely<Tables>, dialect: Dialect): Tx {
  return {
    now: dialect.now,
    async insert(table, row) {
      const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
      const values = sql.join(Object.values(row));
      const { numAffectedRows } = await sql`
        INSERT INTO ${sql.table(table)} (${columns}) VALUES (${values})
        ON CONFLICT DO NOTHING`.execute(db);
      return numAffectedRows === 1n;
    },
    async update(table, where, set) {
      const changes = sql.join(pairs(set, sql` = `), sql`, `);
      const { numAffectedRows } = await sql`
        UPDATE ${sql.table(table)} SET ${changes} WHERE ${all(where)}`.execute(db);
      return numAffectedRows === 1n;
    },
    async remove(table, where) {
      const { numAffectedRows } = await sql`
        DELETE FROM ${sql.table(table)} WHERE ${all(where)}`.execute(db);
      return numAffectedRows === 1n;
    },
    async find<T extends TableName>(table: T, where: Partial<Tables[T]>) {
      const { rows } = await sql<Tables[T]>`
        SELECT * FROM ${sql.table(table)} WHERE ${all(where)} LIMIT 1`.execute(db);
      return rows[0];
    },
    async list<T extends TableName>(table: T, query: Query<T>) {
      const { where = {}, above, upTo, orderBy, descending = false, limit } = query;
      const conditions = [
        ...(Object.keys(where).length > 0 ? [all(where)] : []),
        ...(above === undefined ? [] : [sql`${sql.ref(above.column)} > ${above.value}`]),
        ...(upTo === undefined ? [] : [sql`${sql.ref(upTo.column)} <= ${upTo.value}`]),
      ];
      const filter =
        conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`;
      const { rows } = await sql<Tables[T]>`
        SELECT * FROM ${sql.table(table)} ${filter}
        ORDER BY ${sql.ref(orderBy)} ${descending ? sql`DESC` : sql`ASC`} LIMIT ${limit}`.execute(
        db,
      );
      return rows;
    },
    async next(counter) {
      const { rows } = await sql<{ value: number }>`
        INSERT INTO counters (name, value) VALUES (${counter}, 1)
        ON CONFLICT (name) DO UPDATE SET value = counters.value + 1
        RETURNING value`.execute(db);
      return Number(rows[0]?.value) - 1;
    },
    async execute(text, parameters = []) {
      let position = 0;
      const spelled = text.replaceAll('?', () => dialect.parameter((position += 1)));
      const { rows } = await db.executeQuery(CompiledQuery.raw(spelled, [...parameters]));
      return rows as readonly Record<string, unknown>[];
    },
  };
}

function all(where: object): RawBuilder<unknown> {
  return sql.join(pairs(where, sql` = `), sql` AND `);
}

function pairs(row: object, between: RawBuilder<unknown>): RawBuilder<unknown>[] {
  return Object.entries(row).map(([name, value]) => sql`${sql.ref(name)}${between}${value}`);
}
