/**
 * One page of calls, the newest first, at a cost that does not grow with the ledger: the most selective
 * filter is read through its index, and the number of receipts read is bounded. `next` continues from
 * there.
 */
import { originOf } from '../../ledger/receipts/checkpoint-note.ts';
import { indexReceipts } from '../../ledger/receipts/index-receipts.ts';
import { findReceipt, polledAgain } from '../../ledger/receipts/read-receipts.ts';
import { toOcsf } from '../../ledger/receipts/to-ocsf.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import type { ReceiptRow } from '../../ledger/tables.ts';
import type { CallFilter } from './call-filter.ts';

export interface CallPage {
  readonly calls: readonly ReceiptRow[];
  /** There may be more below this number. */
  readonly next?: number;
  /** It stopped early, because too many receipts had to be read; `next` continues. */
  readonly isCut: boolean;
}

interface PageInit {
  /** Only receipts with a smaller number. */
  readonly before?: number;
  readonly limit: number;
  /** With every receipt of a question that was polled. Default: each question once, by its last receipt. */
  readonly polls?: true;
  /** How many receipts are read. Default: 10,000. */
  readonly mostRead?: number;
}

const MOST_READ = 10_000;
/** Receipts are numbered when calls end and dated when they begin: the two orders may differ this much. */
const DISORDER_MS = 3_600_000;

/** One filter term. `lead` can use an index, `check` must not. */
interface Term {
  readonly lead?: string;
  readonly check: string;
  readonly value: string | number;
}

interface Range {
  /** The smallest number, and one above the greatest. */
  readonly from: number;
  readonly below: number;
}

export async function findCalls(
  store: Store,
  filter: CallFilter,
  { before = Number.MAX_SAFE_INTEGER, limit, polls, mostRead = MOST_READ }: PageInit,
): Promise<CallPage> {
  const terms = toTerms(filter);
  await indexReceipts(store);
  return store.transaction(async (tx) => {
    const range = await toRange(tx, filter, before);
    const way = await chooseWay(tx, terms, range, mostRead);
    const checks = terms.filter((term) => term !== way.term);
    const conditions = [
      ...(way.term?.lead === undefined ? [] : [way.term.lead]),
      'seq < ?',
      'seq >= ?',
      ...checks.map(({ check }) => check),
      ...(polls ? [] : [`NOT (${polledAgain('receipts')})`]),
    ];
    const rows = (await tx.execute(
      `SELECT * FROM receipts WHERE ${conditions.join(' AND ')} ORDER BY seq DESC LIMIT ?`,
      [...valuesOf(way.term), range.below, way.from, ...checks.flatMap(valuesOf), limit + 1],
    )) as unknown as readonly ReceiptRow[]; // rows of that table
    const calls = rows.slice(0, limit);
    const last = calls.at(-1)?.seq;
    if (rows.length > limit && last !== undefined) return { calls, next: last, isCut: false };
    return way.isCut ? { calls, next: way.from, isCut: true } : { calls, isCut: false };
  });
}

interface Way extends Pick<Range, 'from'> {
  readonly term?: Term;
  readonly isCut: boolean;
}

/** The index with the fewest receipts; of those with too many, the one that gets furthest. */
async function chooseWay(
  tx: Tx,
  terms: readonly Term[],
  range: Range,
  mostRead: number,
): Promise<Way> {
  const leads = terms.filter(({ lead }) => lead !== undefined);
  const ways: (Way & { readonly count: number })[] = [];
  for (const term of leads.length === 0 ? [undefined] : leads) {
    const condition = term?.lead === undefined ? '' : `${term.lead} AND`;
    const [row] = await tx.execute(
      `SELECT COUNT(*) AS count, MIN(seq) AS low FROM (SELECT seq FROM receipt_index
        WHERE ${condition} seq < ? AND seq >= ? ORDER BY seq DESC LIMIT ?) AS looked`,
      [...valuesOf(term), range.below, range.from, mostRead],
    );
    const count = Number(row?.['count']);
    const isCut = count === mostRead;
    const from = isCut ? Number(row?.['low']) : range.from;
    ways.push({ ...(term !== undefined && { term }), from, isCut, count });
  }
  const [best] = ways.toSorted((a, b) => a.count - b.count || a.from - b.from);
  return best ?? { from: range.from, isCut: false };
}

/** Times narrow the numbers first, so that the search for an old day does not start from today. */
async function toRange(tx: Tx, { since, until }: CallFilter, before: number): Promise<Range> {
  let [from, below] = [0, before];
  if (since !== undefined) {
    const earlier = 'SELECT seq FROM receipt_index WHERE at < ? ORDER BY at DESC LIMIT 1';
    const [row] = await tx.execute(earlier, [since - DISORDER_MS]);
    if (row !== undefined) from = Number(row['seq']) + 1;
  }
  if (until !== undefined) {
    const later = 'SELECT seq FROM receipt_index WHERE at >= ? ORDER BY at LIMIT 1';
    const [row] = await tx.execute(later, [until + DISORDER_MS]);
    if (row !== undefined) below = Math.min(below, Number(row['seq']));
  }
  return { from, below };
}

/** Values that nearly all receipts have are not indexed; see the migrations. */
const COMMON = { server: '', tier: 'read', decision: 'ran', outcome: 'success' } as const;

function toTerms(filter: CallFilter): readonly Term[] {
  const terms: Term[] = [];
  for (const column of ['operation', 'principal'] as const) {
    const value = filter[column];
    if (value !== undefined) terms.push({ ...toCheck(column, value), lead: `${column} = ?` });
  }
  for (const column of ['server', 'tier', 'decision', 'outcome'] as const) {
    const value = filter[column];
    if (value === undefined) continue;
    const common = COMMON[column];
    const lead = `${column} = ? AND ${column} <> '${common}'`;
    terms.push({ ...toCheck(column, value), ...(value !== common && { lead }) });
  }
  if (filter.openWorld) {
    terms.push({ lead: 'open_world = ?', check: 'open_world + 0 = ?', value: 1 });
  }
  if (filter.since !== undefined) terms.push({ check: 'at + 0 >= ?', value: filter.since });
  if (filter.until !== undefined) terms.push({ check: 'at + 0 < ?', value: filter.until });
  return terms;
}

/** Written so that the planner uses no index other than the chosen one. */
function toCheck(column: string, value: string): Term {
  return { check: `${column} || '' = ?`, value };
}

function valuesOf(term: Term | undefined): readonly (string | number)[] {
  return term === undefined ? [] : [term.value];
}

/**
 * Calls for other systems, one per line, the newest first. Read page by page, as fast as the reader
 * consumes it.
 */
export type ExportFormat = 'jsonl' | 'ocsf';

export const EXPORT_FORMATS: Readonly<
  Record<ExportFormat, { readonly word: string; readonly ending: string }>
> = Object.freeze({
  jsonl: { word: 'JSON lines', ending: 'jsonl' },
  ocsf: { word: 'OCSF 1.9.0', ending: 'ocsf.jsonl' },
});

const A_PAGE = 500;

/** Fails at a receipt that cannot be read, rather than omitting it. */
export function exportCalls(
  store: Store,
  filter: CallFilter,
  format: ExportFormat,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let before = Number.MAX_SAFE_INTEGER;
  let origin: string | undefined;
  return new ReadableStream({
    async pull(controller) {
      origin ??= originOf((await findReceipt(store, '0'))?.leaf ?? '');
      for (let lines = ''; lines === '';) {
        const { calls, next } = await findCalls(store, filter, {
          before,
          limit: A_PAGE,
          polls: true,
        });
        for (const row of calls) {
          lines += `${format === 'ocsf' ? JSON.stringify(toOcsf(row, origin)) : row.body}\n`;
        }
        if (lines !== '') controller.enqueue(encoder.encode(lines));
        if (next === undefined) return controller.close();
        before = next;
      }
    },
  });
}
