/**
 * The index of receipts: what they are searched by, made from the bodies in the log. It is behind the
 * log until somebody brings it up to date: whoever searches, and the ledger itself when it is idle.
 */
import type { Receipt } from '../receipt.ts';
import type { Store, Tx } from '../store.ts';
import type { IndexRow, LogRow, ReceiptRow } from '../tables.ts';
import { leafOf } from './number-receipt.ts';

/**
 * In one transaction. Receipts of many principals are spread over as many pages of an index, and each page
 * is written once in a transaction, however many receipts it got. Small enough for those who wait for the ledger.
 */
const PAGE = 5000;
/** Then everything else in this process has its turn. */
const AT_ONCE = 500;
const LOCK = 'receipt-index';
/** One round trip: nearly every search finds the index up to date. */
const SOME_UNINDEXED = `SELECT 1 AS one FROM receipt_log
  WHERE seq > COALESCE((SELECT MAX(seq) FROM receipt_index), -1) LIMIT 1`;

/** Resolves when everything stored before is indexed. */
export async function indexReceipts(store: Store): Promise<void> {
  const index = store.kind === 'sqlite' ? indexInMemory : indexPage;
  while ((await store.transaction(index)) === PAGE);
}

/** Before a search in the same transaction. */
export async function indexReceiptsIn(tx: Tx): Promise<void> {
  while ((await indexPage(tx)) === PAGE);
}

/**
 * SQLite writes changed pages to the disk in the middle of a long transaction, and again at its end. Only here
 * is it known how many pages there are: what others do in a transaction may not fit into memory.
 */
async function indexInMemory(tx: Tx): Promise<number> {
  if ((await tx.execute(SOME_UNINDEXED)).length === 0) return 0;
  await tx.execute('PRAGMA cache_spill = OFF');
  try {
    return await indexPage(tx);
  } finally {
    await tx.execute('PRAGMA cache_spill = ON');
  }
}

/** Returns how many were indexed. */
async function indexPage(tx: Tx): Promise<number> {
  if ((await tx.execute(SOME_UNINDEXED)).length === 0) return 0;
  await tx.lock(LOCK);
  const [newest] = await tx.execute('SELECT MAX(seq) AS seq FROM receipt_index');
  let [after, indexed] = [Number(newest?.['seq'] ?? -1), 0];
  while (indexed < PAGE) {
    const rows = await readLog(tx, after);
    await tx.insertAll('receipt_index', rows.map(toIndexRow));
    indexed += rows.length;
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < AT_ONCE) break;
    await new Promise(setImmediate);
  }
  return indexed;
}

type Indexable = Pick<LogRow, 'seq' | 'body'>;

async function readLog(tx: Tx, after: number): Promise<readonly Indexable[]> {
  const sql = 'SELECT seq, body FROM receipt_log WHERE seq > ? ORDER BY seq LIMIT ?';
  return (await tx.execute(sql, [after, AT_ONCE])) as unknown as readonly Indexable[]; // its columns
}

/** A body that cannot be read is indexed all the same, and the audit says what is wrong with it. */
function toIndexRow({ seq, body }: Indexable): IndexRow {
  const { id: _, ...columns } = toColumns(readBody(body) ?? {}, seq);
  return { ...columns, leaf: leafOf(body) };
}

export interface Body extends Receipt {
  readonly seq: number;
  readonly argsDigest?: string;
}

export function readBody(text: unknown): Body | undefined {
  // A row that was tampered with may contain anything, including bytes and numbers.
  if (typeof text !== 'string') return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Body) : undefined;
  } catch {
    return undefined;
  }
}

/** The columns that repeat a receipt. Written from it, and audited against it. */
export type ReceiptColumns = Omit<ReceiptRow, 'body' | 'leaf' | 'salt' | 'args'>;

export function toColumns(receipt: Partial<Receipt>, seq: number): ReceiptColumns {
  const at = Date.parse(toText(receipt.at));
  return {
    seq,
    id: toText(receipt.id),
    at: Number.isNaN(at) ? 0 : at,
    operation: toText(receipt.operation),
    tier: toText(receipt.tier),
    open_world: receipt.openWorld === true ? 1 : 0,
    principal: toText(receipt.principal),
    tenant: toText(receipt.tenant),
    outcome: toText(receipt.outcome),
    key_record: toText(receipt.keyRecord),
    server: toText(receipt.server),
    decision: toText(receipt.decision),
    approval: toText(receipt.approval),
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
