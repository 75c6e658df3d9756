/**
 * Receipts that are in the log and not in the index yet, read from their bodies. A page shows them with
 * those that are indexed, so that nobody who looks at a page waits for the index.
 */
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { Receipt } from '../receipt.ts';
import type { Tx } from '../store.ts';
import type { LogRow, ReceiptRow } from '../tables.ts';
import type { ReceiptColumns } from './index-receipts.ts';
import { readBody, toColumns } from './index-receipts.ts';
import { leafOf } from './number-receipt.ts';

/** Then everything else in this process has its turn. */
const AT_ONCE = 500;

/** Where the index ends, and where the log ends: both only grow. */
interface Ends {
  /** One above the newest number, so that it is zero where there is nothing. */
  readonly indexed: number;
  readonly logged: number;
}

const ENDS = `SELECT (SELECT MAX(seq) FROM receipt_index) AS indexed,
  (SELECT MAX(seq) FROM receipt_log) AS logged`;

export async function readEnds(tx: Tx): Promise<Ends> {
  const [row] = await tx.execute(ENDS);
  const toEnd = (newest: unknown): number => Number(newest ?? -1) + 1;
  return { indexed: toEnd(row?.['indexed']), logged: toEnd(row?.['logged']) };
}

export interface UnindexedSearch {
  /** The smallest number, which is not indexed, and one above the greatest. */
  readonly from: number;
  readonly below?: number;
  /** Texts that the bodies of all matches contain; see `toNeedle`. */
  readonly needles: readonly string[];
  readonly passes: (columns: ReceiptColumns) => boolean;
  readonly limit?: number;
}

/** The newest first. */
export async function readUnindexed(
  tx: Tx,
  { from, below = Number.MAX_SAFE_INTEGER, needles, passes, limit = Infinity }: UnindexedSearch,
): Promise<readonly ReceiptRow[]> {
  const found: ReceiptRow[] = [];
  for (let end = below; end > from;) {
    const page = await readPage(tx, from, end);
    for (const row of page) {
      // Most are ruled out without being parsed.
      if (!hasAll(row.body, needles)) continue;
      const columns = toColumns(readBody(row.body) ?? {}, row.seq);
      if (passes(columns)) found.push({ ...columns, ...row, leaf: leafOf(row.body) });
      if (found.length === limit) return found;
    }
    if (page.length < AT_ONCE) break;
    end = page.at(-1)?.seq ?? from;
    await new Promise(setImmediate);
  }
  return found;
}

async function readPage(tx: Tx, from: number, below: number): Promise<readonly LogRow[]> {
  const sql = 'SELECT * FROM receipt_log WHERE seq >= ? AND seq < ? ORDER BY seq DESC LIMIT ?';
  const rows = await tx.execute(sql, [from, below, AT_ONCE]);
  return rows as unknown as readonly LogRow[]; // rows of that table
}

/** A row that was tampered with may contain anything, including bytes and numbers. */
function hasAll(body: unknown, needles: readonly string[]): boolean {
  if (typeof body !== 'string') return needles.length === 0;
  return needles.every((needle) => body.includes(needle));
}

/** Bodies are canonical JSON, so this is how a name and its value are written in all of them. */
export function toNeedle(name: keyof Receipt, value: string | boolean): string {
  return `"${name}":${toCanonicalJson(value)}`;
}

/** A receipt as the index will have it. */
export function toReceiptRow(row: LogRow): ReceiptRow {
  return { ...toColumns(readBody(row.body) ?? {}, row.seq), ...row, leaf: leafOf(row.body) };
}
