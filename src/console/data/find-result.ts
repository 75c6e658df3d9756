/** What a call did that a person said yes to, as its receipt has it. */
import { IS_CALL, isCall } from '../../ledger/receipts/is-call.ts';
import { readEnds } from '../../ledger/receipts/read-ends.ts';
import { MOST_UNINDEXED, readUnindexed, toNeedle } from '../../ledger/receipts/read-unindexed.ts';
import type { Store } from '../../ledger/store.ts';
import type { FoundReceipt } from '../../ledger/tables.ts';

/** The second condition lets the partial index be used. */
const LAST = `SELECT * FROM indexed_receipts WHERE approval = ? AND approval <> '' AND decision <> 'waiting'
  AND ${IS_CALL} ORDER BY seq DESC LIMIT 1`;

/** Not known yet where too many newer receipts are not indexed. */
export function findResult(
  store: Store,
  approval: string,
  mostUnindexed: number = MOST_UNINDEXED,
): Promise<FoundReceipt | undefined> {
  return store.transaction(async (tx) => {
    const { indexed, logged } = await readEnds(tx);
    const [newest] = await readUnindexed(tx, {
      from: Math.max(indexed, logged - mostUnindexed),
      needles: [toNeedle('approval', approval)],
      passes: (row) => row.approval === approval && row.decision !== 'waiting' && isCall(row),
      limit: 1,
    });
    if (newest !== undefined) return newest;
    const [row] = await tx.execute(LAST, [approval]);
    return row as unknown as FoundReceipt | undefined; // a row of that view
  });
}
