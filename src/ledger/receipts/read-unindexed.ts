/**
 * Receipts that are in the log and not in the index yet, read from their bodies. A page shows them with
 * those that are indexed, so that nobody who looks at a page waits for the index.
 */
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { Receipt } from '../receipt.ts';
import type { Tx } from '../store.ts';
import type { FoundReceipt, LogRow, ReceiptRow } from '../tables.ts';
import { leafOf } from './number-receipt.ts';
import type { ReceiptColumns } from './receipt-columns.ts';
import { readBody, toColumns, toTime } from './receipt-columns.ts';

/** A page that read more would take longer than anybody waits for one, while calls wait for the ledger. */
export const MOST_UNINDEXED = 20_000;

/** Then everything else in this process has its turn. */
const AT_ONCE = 500;

export interface UnindexedSearch {
  /** The smallest number, which is not indexed, and one above the greatest. */
  readonly from: number;
  readonly below?: number;
  /** Texts that the bodies of all matches contain; see `toNeedle`. */
  readonly needles: readonly string[];
  /** Milliseconds; the first is inclusive, the second exclusive. */
  readonly since?: number;
  readonly until?: number;
  readonly passes: (columns: ReceiptColumns) => boolean;
  readonly limit?: number;
}

/** The newest first. */
export async function readUnindexed(
  tx: Tx,
  { passes, limit = Infinity, ...search }: UnindexedSearch,
): Promise<readonly FoundReceipt[]> {
  const { from, below = Number.MAX_SAFE_INTEGER } = search;
  const found: FoundReceipt[] = [];
  for (let end = below; end > from;) {
    const page = await readPage(tx, from, end);
    for (const row of page) {
      // Most are ruled out without being parsed.
      if (!mayPass(row.body, search)) continue;
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

type Body = Pick<LogRow, 'seq' | 'id' | 'body'>;

async function readPage(tx: Tx, from: number, below: number): Promise<readonly Body[]> {
  const sql =
    'SELECT seq, id, body FROM receipt_log WHERE seq >= ? AND seq < ? ORDER BY seq DESC LIMIT ?';
  return (await tx.execute(sql, [from, below, AT_ONCE])) as unknown as readonly Body[]; // its columns
}

/** Text in a body has its quotes escaped, so only the field itself looks like this. */
const AT = /"at":"([^"]*)"/;

function mayPass(
  body: unknown,
  { needles, since, until }: Pick<UnindexedSearch, 'needles' | 'since' | 'until'>,
): boolean {
  // A row that was tampered with may contain anything, including bytes and numbers.
  const text = typeof body === 'string' ? body : '';
  if (!needles.every((needle) => text.includes(needle))) return false;
  if (since === undefined && until === undefined) return true;
  const at = toTime(AT.exec(text)?.[1]);
  return at >= (since ?? -Infinity) && at < (until ?? Infinity);
}

/** Bodies are canonical JSON, so this is how a name and its value are written in all of them. */
export function toNeedle(name: keyof Receipt, value: string | boolean): string {
  return `"${name}":${toCanonicalJson(value)}`;
}

/** A receipt as the index will have it. */
export function toReceiptRow(row: LogRow): ReceiptRow {
  return { ...toColumns(readBody(row.body) ?? {}, row.seq), ...row, leaf: leafOf(row.body) };
}
