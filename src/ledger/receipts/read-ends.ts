/** How far the log, its index and its counts go. All of them only grow, the index and the counts behind the log. */
import type { Tx } from '../store.ts';

/** Its value is the number of the first receipt that is not counted; see `usage-counts.ts`. */
export const COUNTED_COUNTER = 'counted-receipts';

/** Each is one above the newest number, so that it is zero where there is nothing. */
export interface Ends {
  readonly logged: number;
  readonly indexed: number;
  /** What a version before 6 has indexed is not counted. */
  readonly counted: number;
  /** The counter is none that counting writes. Counts are then taken to go as far as the index. */
  readonly isCounterWrong: boolean;
}

/** In one statement, so that the three belong together. A counter that was tampered with may be anything. */
const ENDS = `SELECT (SELECT MAX(seq) FROM receipt_log) AS logged,
  (SELECT MAX(seq) FROM receipt_index) AS indexed,
  (SELECT CASE WHEN value BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} THEN value ELSE -1 END FROM counters WHERE name = '${COUNTED_COUNTER}') AS counted`;

export async function readEnds(tx: Tx): Promise<Ends> {
  const [row] = await tx.execute(ENDS);
  const toEnd = (newest: unknown): number => Number(newest ?? -1) + 1;
  const indexed = toEnd(row?.['indexed']);
  // Nothing has been counted where nothing was indexed.
  const counter = Number(row?.['counted'] ?? (indexed === 0 ? 0 : -1));
  const isCounterWrong = !Number.isSafeInteger(counter) || counter < 0 || counter > indexed;
  return {
    logged: toEnd(row?.['logged']),
    indexed,
    counted: isCounterWrong ? indexed : counter,
    isCounterWrong,
  };
}
