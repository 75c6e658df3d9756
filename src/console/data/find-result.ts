/** What a call did that a person said yes to, as its receipt has it. */
import { indexReceipts } from '../../ledger/receipts/index-receipts.ts';
import { IS_CALL } from '../../ledger/receipts/read-receipts.ts';
import type { Store } from '../../ledger/store.ts';
import type { ReceiptRow } from '../../ledger/tables.ts';

/** The second condition lets the partial index be used. */
const LAST = `SELECT * FROM receipts WHERE approval = ? AND approval <> '' AND decision <> 'waiting'
  AND ${IS_CALL} ORDER BY seq DESC LIMIT 1`;

export async function findResult(store: Store, approval: string): Promise<ReceiptRow | undefined> {
  await indexReceipts(store);
  const [row] = await store.transaction((tx) => tx.execute(LAST, [approval]));
  return row as unknown as ReceiptRow | undefined; // a row of that table
}
