/** Counts what was indexed before there were counts, once, when a ledger of an older version is opened. */
import { TIER_NAMES, TIERS } from '../../effect/tier.ts';
import type { Tx } from '../store.ts';
import type { LogRow } from '../tables.ts';
import type { CountedReceipt } from './count-calls.ts';
import { countCalls, toCounted } from './count-calls.ts';
import { INDEX_LOCK } from './index-receipts.ts';
import { IS_CALL } from './is-call.ts';
import { COUNTED_COUNTER } from './read-ends.ts';
import { polledAgain } from './read-receipts.ts';
import { readBody } from './receipt-columns.ts';
import { addCounts } from './usage-counts.ts';

/** In the database itself: a million receipts take it one to two seconds. */
const STATEMENTS: readonly string[] = [
  `INSERT INTO usage_counts (hours, starts_at, tier, decision, server, calls)
    SELECT 1, at - (at % 3600000 + 3600000) % 3600000, tier, decision, server, COUNT(*) FROM receipt_index AS asked
    WHERE ${IS_CALL} AND NOT (${polledAgain('asked')}) GROUP BY 2, 3, 4, 5`,
  `INSERT INTO usage_counts (hours, starts_at, tier, decision, server, calls)
    SELECT 24, starts_at - (starts_at % 86400000 + 86400000) % 86400000, tier, decision, server, SUM(calls)
    FROM usage_counts WHERE hours = 1 GROUP BY 2, 3, 4, 5`,
  `INSERT INTO counters (name, value)
    SELECT '${COUNTED_COUNTER}', COALESCE(MAX(seq), -1) + 1 FROM receipt_index`,
];

export async function fillCounts(tx: Tx): Promise<void> {
  // A process of the older version may be indexing.
  await tx.lock(INDEX_LOCK);
  for (const statement of STATEMENTS) await tx.execute(statement);
  for (const tier of TIER_NAMES.filter((name) => TIERS[name].needsRepeatContract)) {
    for (let after: number | undefined = -1; after !== undefined;)
      after = await fillMoney(tx, tier, after);
  }
}

const AT_ONCE = 500;

/** Amounts are in the bodies alone. */
const BODIES = `SELECT i.seq, l.body FROM receipt_index i CROSS JOIN receipt_log l WHERE l.seq = i.seq
  AND i.tier = ? AND i.seq > ? ORDER BY i.seq LIMIT ?`;

/** Returns the last number while there may be more. */
async function fillMoney(tx: Tx, tier: string, after: number): Promise<number | undefined> {
  const rows = (await tx.execute(BODIES, [tier, after, AT_ONCE])) as unknown as readonly Pick<
    LogRow,
    'seq' | 'body'
  >[]; // its columns
  const receipts: readonly CountedReceipt[] = rows.map(({ body }) =>
    toCounted(readBody(body) ?? {}),
  );
  const { money } = countCalls(receipts, new Map());
  await addCounts(tx, { counts: [], money });
  return rows.length < AT_ONCE ? undefined : rows.at(-1)?.seq;
}
