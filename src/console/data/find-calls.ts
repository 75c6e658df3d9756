/**
 * One page of calls, the newest first, at a cost that does not grow with the ledger: what is not indexed
 * yet is read from the log, the rest through the index, and the number of receipts read is bounded. `next`
 * continues from there.
 */
import { indexReceipts } from '../../ledger/receipts/index-receipts.ts';
import { isCall } from '../../ledger/receipts/is-call.ts';
import { readEnds } from '../../ledger/receipts/read-ends.ts';
import type { UnindexedSearch } from '../../ledger/receipts/read-unindexed.ts';
import { MOST_UNINDEXED, readUnindexed, toNeedle } from '../../ledger/receipts/read-unindexed.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import type { FoundReceipt } from '../../ledger/tables.ts';
import type { CallFilter } from './call-filter.ts';
import { searchIndex } from './search-index.ts';

export interface CallPage {
  readonly calls: readonly FoundReceipt[];
  /** There may be more below this number. */
  readonly next?: number;
  /** It stopped early, because too many receipts had to be read; `next` continues. */
  readonly isCut: boolean;
  /** Where it stopped among those that are not indexed yet: how many of these it has not read. */
  readonly unindexed?: number;
}

interface PageInit {
  /** Only receipts with a smaller number. */
  readonly before?: number;
  readonly limit: number;
  /**
   * With every receipt of a question that was polled. Default: each question once, by its last receipt; again by an
   * earlier one where more than `mostUnindexed` that are not indexed yet are between them.
   */
  readonly polls?: true;
  /** How many receipts are read through the index. Default: 10,000. */
  readonly mostRead?: number;
  /** How many of those that are not indexed yet are read. Default: 20,000. */
  readonly mostUnindexed?: number;
}

const MOST_READ = 10_000;
/** Some hundred thousand receipts can be indexed in it. */
const PATIENCE_MS = 2000;

export function findCalls(store: Store, filter: CallFilter, init: PageInit): Promise<CallPage> {
  const { before = Number.MAX_SAFE_INTEGER, limit, polls, mostRead = MOST_READ } = init;
  const { mostUnindexed = MOST_UNINDEXED } = init;
  return store.transaction(async (tx) => {
    const { indexed, logged } = await readEnds(tx);
    const end = Math.min(before, logged);
    const isAskedAgain = polls
      ? async () => false
      : openAskedAgain(tx, indexed, Math.max(end, indexed) + mostUnindexed);
    const from = Math.max(indexed, end - mostUnindexed);
    const newer = await collect(limit + 1, end, isAskedAgain, (below, count) =>
      readUnindexed(tx, { from, below, ...toSearch(filter), limit: count }),
    );
    if (newer.length > limit) return toPage(newer, limit);
    if (from > indexed) {
      return { calls: newer, next: from, isCut: true, unindexed: from - indexed };
    }
    const search = await searchIndex(tx, filter, { before, indexed, polls, mostRead });
    const older = await collect(limit + 1 - newer.length, search.below, isAskedAgain, search.read);
    const calls = [...newer, ...older];
    if (calls.length <= limit && search.isCut) return { calls, next: search.from, isCut: true };
    return toPage(calls, limit);
  });
}

/**
 * The same, but gives the index some time rather than nothing while it is behind: whoever looks at an empty page
 * would only ask again.
 */
export async function findSomeCalls(
  store: Store,
  filter: CallFilter,
  init: PageInit,
  patienceMs: number = PATIENCE_MS,
): Promise<CallPage> {
  const page = await findCalls(store, filter, init);
  if (page.calls.length > 0 || page.unindexed === undefined) return page;
  const until = performance.now() + patienceMs;
  await indexReceipts(store, () => performance.now() < until);
  return findCalls(store, filter, init);
}

function toPage(found: readonly FoundReceipt[], limit: number): CallPage {
  const calls = found.slice(0, limit);
  const last = calls.at(-1)?.seq;
  const hasMore = found.length > limit && last !== undefined;
  return { calls, ...(hasMore && { next: last }), isCut: false };
}

type Check = (row: FoundReceipt) => Promise<boolean>;

/** Reads on until there are as many as asked for that are not to be left out. */
async function collect(
  count: number,
  end: number,
  isLeftOut: Check,
  read: (below: number, count: number) => Promise<readonly FoundReceipt[]>,
): Promise<readonly FoundReceipt[]> {
  const found: FoundReceipt[] = [];
  for (let below = end; ;) {
    const asked = count - found.length;
    const rows = await read(below, asked);
    for (const row of rows) if (!(await isLeftOut(row))) found.push(row);
    if (rows.length < asked || found.length === count) return found;
    below = rows.at(-1)?.seq ?? 0;
  }
}

/**
 * What `polledAgain` is in the index, for what is not indexed yet. Asked about the newest receipt first, so that it
 * reads no further than it must, and never from `end` on.
 */
function openAskedAgain(tx: Tx, indexed: number, end: number): Check {
  const later = new Set<string>();
  let readFrom = end;
  return async ({ decision, approval, seq }) => {
    if (decision !== 'waiting' || approval === '') return false;
    const from = Math.max(seq + 1, indexed);
    const rows = await readUnindexed(tx, {
      from,
      below: readFrom,
      needles: ['"approval":'],
      passes: (row) => row.approval !== '' && isCall(row),
    });
    for (const row of rows) later.add(row.approval);
    readFrom = from;
    return later.has(approval);
  };
}

/** The filter for receipts that are not indexed yet. */
function toSearch(filter: CallFilter): Omit<UnindexedSearch, 'from'> {
  const { openWorld, since, until, ...texts } = filter;
  const terms = Object.entries(texts) as [keyof typeof texts, string][]; // its own, and all texts
  return {
    needles: [
      // What is empty may be missing in the body.
      ...terms.flatMap(([name, value]) => (value === '' ? [] : [toNeedle(name, value)])),
      ...(openWorld ? [toNeedle('openWorld', true)] : []),
    ],
    passes: (row) =>
      terms.every(([name, value]) => row[name] === value) && (!openWorld || row.open_world === 1),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}
