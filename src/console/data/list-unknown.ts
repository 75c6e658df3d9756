/** The calls of which nobody knows whether they happened, the oldest first. */
import type { Store } from '../../ledger/store.ts';
import type { ClaimRow } from '../../ledger/tables.ts';

export interface UnknownCalls {
  readonly claims: readonly ClaimRow[];
  readonly hasMore: boolean;
}

const MOST = 50;

export async function listUnknown(store: Store): Promise<UnknownCalls> {
  const rows = await store.transaction((tx) =>
    tx.list('claims', { where: { state: 'UNKNOWN' }, orderBy: 'updated_at', limit: MOST + 1 }),
  );
  return { claims: rows.slice(0, MOST), hasMore: rows.length > MOST };
}
