/** Cursor pages over any table: newest first unless sorted otherwise, stable while rows are added. */
import type { Database, Row } from './database.ts';

export interface PageQuery {
  readonly limit?: number | undefined;
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
  readonly direction?: 'asc' | 'desc';
}

export interface PageSource {
  readonly table: 'objects' | 'orders' | 'transactions' | 'deliveries';
  /** Conditions in SQL, of this program's own making. */
  readonly where: readonly string[];
  readonly values: Row;
  /** An expression to sort by; ties go by age. */
  readonly sort?: string;
}

export interface Page<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly url: string;
  readonly cursors: { readonly next: string | null; readonly previous: string | null };
}

export type Cut = { readonly kind: 'rows'; readonly rows: readonly Row[]; readonly more: boolean };

/** `unknown-cursor` when the cursor is not a row of this list. */
export function cutPage(
  db: Database,
  { table, where, values, sort = 'seq' }: PageSource,
  query: PageQuery,
): Cut | { readonly kind: 'unknown-cursor' } {
  const { limit = 10, starting_after, ending_before, direction = 'desc' } = query;
  const cursor = starting_after ?? ending_before;
  const conditions = [...where];
  // Going back reads towards the cursor in the other direction.
  const isBack = starting_after === undefined && ending_before !== undefined;
  const order = (direction === 'desc') === isBack ? 'asc' : 'desc';
  let bounds: Row = {};
  if (cursor !== undefined) {
    const at = db.get(
      `SELECT ${sort} AS value, seq FROM ${table} WHERE id = :cursor AND ${and(where)}`,
      { ...values, cursor },
    );
    if (at === undefined) return { kind: 'unknown-cursor' };
    const sign = order === 'desc' ? '<' : '>';
    conditions.push(
      `(coalesce(${sort}, ''), seq) ${sign} (coalesce(:cursorValue, ''), :cursorSeq)`,
    );
    bounds = { cursorValue: at['value'] ?? null, cursorSeq: at['seq'] ?? null };
  }
  const rows = db.all(
    `SELECT * FROM ${table} WHERE ${and(conditions)}
     ORDER BY coalesce(${sort}, '') ${order}, seq ${order} LIMIT ${limit + 1}`,
    { ...values, ...bounds },
  );
  const cut = rows.slice(0, limit);
  return { kind: 'rows', rows: isBack ? cut.toReversed() : cut, more: rows.length > limit };
}

export function toPage<T extends { readonly id: string }>(
  url: string,
  data: readonly T[],
  more: boolean,
  query: PageQuery,
): Page<T> {
  const isBack = query.starting_after === undefined && query.ending_before !== undefined;
  const hasNext = isBack || more;
  const hasPrevious = isBack ? more : query.starting_after !== undefined;
  return {
    object: 'list',
    data,
    has_more: more,
    url,
    cursors: {
      next: hasNext ? (data.at(-1)?.id ?? null) : null,
      previous: hasPrevious ? (data[0]?.id ?? null) : null,
    },
  };
}

function and(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'true' : conditions.map((one) => `(${one})`).join(' AND ');
}
