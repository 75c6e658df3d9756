/** Reads a ledger after its gate has closed: every call must have a receipt of its tier. */
import { DatabaseSync } from 'node:sqlite';
import type { Tier } from '../../src/effect/tier.ts';

/** Returns a sentence about the result. */
export function checkReceipts(ledger: string, tier: Tier, calls: number): string {
  using database = new DatabaseSync(ledger, { readOnly: true });
  const row = database
    .prepare("select count(*) as kept from receipts where tier = ? and outcome = 'success'")
    .get(tier);
  const kept = Number(row?.['kept']);
  if (kept !== calls) throw new Error(`${calls} calls left ${kept} receipts of tier ${tier}`);
  return `${calls} calls left ${kept} receipts`;
}
