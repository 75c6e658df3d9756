/** Calls that are indexed, read through the index that leads to the fewest receipts, a bounded number of them. */
import { polledAgain } from '../../ledger/receipts/read-receipts.ts';
import type { Tx } from '../../ledger/store.ts';
import type { FoundReceipt } from '../../ledger/tables.ts';
import type { CallFilter } from './call-filter.ts';

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

const COLUMNS = `seq, id, at, operation, tier, open_world, principal, tenant, outcome, key_record, body, leaf,
  server, decision, approval`;

interface IndexPage {
  /** Only receipts with a smaller number. */
  readonly before: number;
  /** One above the newest that is indexed, as far as the page goes. */
  readonly indexed: number;
  /** With every receipt of a question that was polled. */
  readonly polls?: true | undefined;
  readonly mostRead: number;
}

interface IndexSearch {
  /** Nothing is found from `below` on, and nothing below `from` is looked at. */
  readonly below: number;
  readonly from: number;
  /** There may be matches below `from`. */
  readonly isCut: boolean;
  /** The newest first. */
  readonly read: (below: number, count: number) => Promise<readonly FoundReceipt[]>;
}

export async function searchIndex(
  tx: Tx,
  filter: CallFilter,
  { before, indexed, polls, mostRead }: IndexPage,
): Promise<IndexSearch> {
  const terms = toTerms(filter);
  const { below, from: least } = await toRange(tx, filter, Math.min(before, indexed));
  const { term, from, isCut } = await chooseWay(tx, terms, { below, from: least }, mostRead);
  const checks = terms.filter((each) => each !== term);
  const conditions = [
    ...(term?.lead === undefined ? [] : [term.lead]),
    'seq < ?',
    'seq >= ?',
    ...checks.map(({ check }) => check),
    ...(polls ? [] : [`NOT (${polledAgain('indexed_receipts', 'AND later.seq < ?')})`]),
  ];
  const sql = `SELECT ${COLUMNS} FROM indexed_receipts WHERE ${conditions.join(' AND ')}
    ORDER BY seq DESC LIMIT ?`;
  const last = [...checks.flatMap(valuesOf), ...(polls ? [] : [indexed])];
  return {
    below,
    from,
    isCut,
    read: async (end, count) => {
      const rows = await tx.execute(sql, [...valuesOf(term), end, from, ...last, count]);
      return rows as unknown as readonly FoundReceipt[]; // rows of that view
    },
  };
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
