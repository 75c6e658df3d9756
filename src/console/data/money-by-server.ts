/** Adds up what the calls of a span of time cost, by server and unit, as far as a price was known. */
import type { Tier } from '../../effect/tier.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { indexReceipts } from '../../ledger/receipts/index-receipts.ts';
import type { Store } from '../../ledger/store.ts';

export interface ServerMoney {
  readonly server: string;
  /** Empty where the price had none. */
  readonly unit: string;
  readonly amount: number;
  readonly calls: number;
}

interface MoneyByServer {
  /** The largest amount of each unit first. */
  readonly sums: readonly ServerMoney[];
  /** Calls that may have cost something, nobody knows how much. */
  readonly unknown: number;
}

const MOST = 10_000;

/** A call that may have run counts: its money may have been spent. */
const DECISIONS: readonly Receipt['decision'][] = ['ran', 'unknown'];

export async function readMoneyByServer(
  store: Store,
  tiers: readonly Tier[],
  { start, end }: { readonly start: number; readonly end: number },
): Promise<MoneyByServer> {
  const spent = `SELECT body FROM receipts WHERE at >= ? AND at < ? AND tier IN (${marks(tiers)})
    AND decision IN (${marks(DECISIONS)}) ORDER BY at DESC LIMIT ${MOST}`;
  const values = [start, end, ...tiers, ...DECISIONS];
  await indexReceipts(store);
  const rows = await store.transaction((tx) => tx.execute(spent, values));
  // Written from receipts; whether they are intact is for the audit to say.
  const receipts = rows.map(({ body }) => JSON.parse(String(body)) as Receipt);
  const known = receipts.filter(({ amount }) => amount !== undefined);
  const groups = Map.groupBy(known, ({ server = '', unit = '' }) => JSON.stringify([server, unit]));
  const sums = [...groups.values()].map((alike) => ({
    server: alike[0]?.server ?? '',
    unit: alike[0]?.unit ?? '',
    amount: alike.reduce((sum, { amount = 0 }) => sum + amount, 0),
    calls: alike.length,
  }));
  const ordered = sums.toSorted((a, b) => a.unit.localeCompare(b.unit) || b.amount - a.amount);
  return { sums: ordered, unknown: receipts.length - known.length };
}

function marks(values: readonly string[]): string {
  return values.map(() => '?').join(', ');
}
