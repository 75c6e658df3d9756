/**
 * The index of receipts: what they are searched by, made from the bodies in the log. It is behind the
 * log until somebody brings it up to date: whoever searches, and the ledger itself when it is idle. What is
 * indexed is counted in the same transaction.
 */
import type { Receipt } from '../receipt.ts';
import type { Store, Tx } from '../store.ts';
import type { IndexRow, LogRow } from '../tables.ts';
import type { CountedReceipt } from './count-calls.ts';
import { toCounted } from './count-calls.ts';
import { leafOf } from './number-receipt.ts';
import { COUNTED_COUNTER, readEnds } from './read-ends.ts';
import { readBody, toColumns } from './receipt-columns.ts';
import { countReceipts } from './usage-counts.ts';

/**
 * In one transaction. Receipts of many principals are spread over as many pages of an index, and each page
 * is written once in a transaction, however many receipts it got. Small enough for those who wait for the ledger.
 */
const PAGE = 5000;
/** Then everything else in this process has its turn. */
const AT_ONCE = 250;
export const INDEX_LOCK = 'receipt-index';
/** One round trip: nearly every search finds the index up to date. */
const SOME_BEHIND = `SELECT 1 AS one WHERE
  EXISTS (SELECT 1 FROM receipt_log WHERE seq > COALESCE((SELECT MAX(seq) FROM receipt_index), -1))
  OR EXISTS (SELECT 1 FROM receipt_log
    WHERE seq >= (SELECT value FROM counters WHERE name = '${COUNTED_COUNTER}'))`;

type GoesOn = () => boolean;
const ALWAYS: GoesOn = () => true;

/** Resolves with whether everything stored before is indexed; `goesOn` is asked again and again on the way. */
export async function indexReceipts(store: Store, goesOn: GoesOn = ALWAYS): Promise<boolean> {
  const index = store.kind === 'sqlite' ? indexInMemory : indexPage;
  const isFree = (): boolean => store.isAwaited !== true && goesOn();
  while (goesOn()) if (await store.transaction((tx) => index(tx, isFree))) return true;
  return false;
}

/** Before a search in the same transaction. */
export async function indexReceiptsIn(tx: Tx): Promise<void> {
  while (!(await indexPage(tx)));
}

/**
 * SQLite writes changed pages to the disk in the middle of a long transaction, and again at its end. Only here
 * is it known how many pages there are: what others do in a transaction may not fit into memory.
 */
async function indexInMemory(tx: Tx, goesOn: GoesOn): Promise<boolean> {
  if ((await tx.execute(SOME_BEHIND)).length === 0) return true;
  await tx.execute('PRAGMA cache_spill = OFF');
  try {
    return await indexPage(tx, goesOn);
  } finally {
    await tx.execute('PRAGMA cache_spill = ON');
  }
}

/** Returns whether it came to the end of the log. */
async function indexPage(tx: Tx, goesOn: GoesOn = ALWAYS): Promise<boolean> {
  if ((await tx.execute(SOME_BEHIND)).length === 0) return true;
  await tx.lock(INDEX_LOCK);
  const { indexed, counted } = await readEnds(tx);
  const uncounted: CountedReceipt[] = [];
  const start = Math.min(indexed, counted);
  let [from, isDone] = [start, false];
  while (!isDone && from - start < PAGE) {
    const rows = await readLog(tx, from);
    // A body that cannot be read is indexed all the same, and the audit says what is wrong with it.
    const receipts = rows.map((row) => ({ ...row, receipt: readBody(row.body) ?? {} }));
    const unindexed = indexed > from ? receipts.filter(({ seq }) => seq >= indexed) : receipts;
    await tx.insertAll('receipt_index', unindexed.map(toIndexRow));
    for (const { seq, receipt } of receipts) {
      if (seq >= counted) uncounted.push(toCounted(receipt));
    }
    from = (rows.at(-1)?.seq ?? from - 1) + 1;
    isDone = rows.length < AT_ONCE;
    await new Promise(setImmediate);
    if (!goesOn()) break;
  }
  await countReceipts(tx, uncounted, { from: counted, end: Math.max(counted, from) });
  return isDone;
}

type Indexable = Pick<LogRow, 'seq' | 'body'>;

async function readLog(tx: Tx, from: number): Promise<readonly Indexable[]> {
  const sql = 'SELECT seq, body FROM receipt_log WHERE seq >= ? ORDER BY seq LIMIT ?';
  return (await tx.execute(sql, [from, AT_ONCE])) as unknown as readonly Indexable[]; // its columns
}

interface Read extends Indexable {
  readonly receipt: Partial<Receipt>;
}

function toIndexRow({ seq, body, receipt }: Read): IndexRow {
  const { id: _, ...columns } = toColumns(receipt, seq);
  return { ...columns, leaf: leafOf(body) };
}
