/** Finds receipts by their columns, in pages. The audit checks whether the columns are true. */
import type { Tier } from '../../effect/tier.ts';
import type { Query, Store } from '../store.ts';
import type { ReceiptRow } from '../tables.ts';

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

/** By number or by id. */
export async function findReceipt(store: Store, name: string): Promise<ReceiptRow | undefined> {
  const where = /^\d{1,15}$/.test(name) ? { seq: Number(name) } : { id: name };
  return store.transaction((tx) => tx.find('receipts', where));
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
