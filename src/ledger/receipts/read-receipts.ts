/** Finds receipts by their columns, in pages. The audit checks whether the columns are true. */
import type { Tier } from '../../effect/tier.ts';
import type { Query, Store } from '../store.ts';
import type { ReceiptRow } from '../tables.ts';
import { IS_CALL } from './is-call.ts';
import { indexReceipts } from './index-receipts.ts';
import { toReceiptRow } from './read-unindexed.ts';

export interface ReceiptFilter {
  readonly operation?: string;
  readonly server?: string;
  readonly tier?: Tier;
  readonly principal?: string;
  readonly outcome?: string;
  /** Only calls that reached beyond what their server or caller owns. */
  readonly openWorld?: true;
  /** Milliseconds. */
  readonly since?: number;
}

const PAGE = 1000;

/**
 * SQL that holds for the receipt of a question that waited and came again: the last one tells what became of it.
 * `row` is the table or view that the receipt is in. `bound` is for a parameter, to leave out what was indexed since.
 */
export function polledAgain(row: string, bound: '' | 'AND later.seq < ?' = ''): string {
  return `${row}.decision = 'waiting' AND ${row}.approval <> '' AND EXISTS
    (SELECT 1 FROM receipt_index AS later WHERE later.approval <> '' AND later.approval = ${row}.approval
      AND later.seq > ${row}.seq ${bound} AND later.${IS_CALL})`;
}

/** The newest first, and each question once, by its last receipt. */
export async function listQuestionsOnce(
  store: Store,
  filter: ReceiptFilter,
  limit: number,
): Promise<readonly ReceiptRow[]> {
  const terms = Object.entries(toWhere(filter));
  const conditions = [...terms.map(([name]) => `${name} = ?`), 'at >= ?'];
  await indexReceipts(store);
  const rows = await store.transaction((tx) =>
    tx.execute(
      `SELECT * FROM receipts WHERE ${conditions.join(' AND ')} AND NOT (${polledAgain('receipts')})
        ORDER BY seq DESC LIMIT ?`,
      [...terms.map(([, value]) => value), filter.since ?? 0, limit],
    ),
  );
  return rows as unknown as readonly ReceiptRow[]; // rows of that view
}

/** The newest first. */
export async function listNewest(
  store: Store,
  filter: ReceiptFilter,
  limit: number,
): Promise<readonly ReceiptRow[]> {
  const { since } = filter;
  return store.transaction((tx) =>
    tx.list('receipts', {
      where: toWhere(filter),
      ...(since !== undefined && { above: { column: 'at', value: since - 1 } }),
      orderBy: 'seq',
      descending: true,
      limit,
    }),
  );
}

/** Everything after a receipt, or from the first, in order, until there is no more for now. */
export async function* readAfter(
  store: Store,
  filter: ReceiptFilter,
  seq = -1,
): AsyncGenerator<ReceiptRow, void> {
  const { since = 0 } = filter;
  for (let after = seq; ;) {
    const query: Query<'receipts'> = {
      where: toWhere(filter),
      above: { column: 'seq', value: after },
      orderBy: 'seq',
      limit: PAGE,
    };
    const rows = await store.transaction((tx) => tx.list('receipts', query));
    yield* rows.filter((row) => row.at >= since);
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < PAGE) return;
  }
}

/** By number or by id, whether it is indexed or not. */
export async function findReceipt(store: Store, name: string): Promise<ReceiptRow | undefined> {
  const where = /^\d{1,15}$/.test(name) ? { seq: Number(name) } : { id: name };
  return store.transaction(async (tx) => {
    const row = await tx.find('receipt_log', where);
    if (row === undefined) return undefined;
    const indexed = await tx.find('receipt_index', { seq: row.seq });
    return indexed === undefined ? toReceiptRow(row) : { ...indexed, ...row };
  });
}

function toWhere({ operation, server, tier, principal, outcome, openWorld }: ReceiptFilter) {
  return {
    ...(operation !== undefined && { operation }),
    ...(server !== undefined && { server }),
    ...(tier !== undefined && { tier }),
    ...(principal !== undefined && { principal }),
    ...(outcome !== undefined && { outcome }),
    ...(openWorld && { open_world: 1 }),
  } satisfies Partial<ReceiptRow>;
}
