/**
 * The counts of calls in the ledger, by hour and by day, so that a chart of a month need not read a million
 * receipts. They cover every receipt below a counter, and are written with the index, under its lock.
 */
import type { Tx } from '../store.ts';
import type { LogRow } from '../tables.ts';
import type {
  CallCount,
  CallCounts,
  CountedReceipt,
  EarlierCall,
  MoneySum,
} from './count-calls.ts';
import { countCalls, HOUR, inSpansOf, toCounted } from './count-calls.ts';
import { IS_CALL } from './is-call.ts';
import type { Ends } from './read-ends.ts';
import { COUNTED_COUNTER, readEnds } from './read-ends.ts';
import { readBody } from './receipt-columns.ts';

type Hours = 1 | 24;
const SPANS: readonly Hours[] = [1, 24];

interface Part {
  /** The number of the first receipt, and one above the last. */
  readonly from: number;
  readonly end: number;
}

/** `receipts` are all of the part, in the order of the log. */
export async function countReceipts(
  tx: Tx,
  receipts: readonly CountedReceipt[],
  { from, end }: Part,
): Promise<void> {
  if (from === end) return;
  await addCounts(tx, countCalls(receipts, await findEarlier(tx, receipts, from)));
  await tx.execute(SET_COUNTED, [COUNTED_COUNTER, end]);
}

const SET_COUNTED = `INSERT INTO counters (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** SQLite and PostgreSQL both name the column of a list of values so. The second condition lets the partial index be used. */
const earlierText = (
  count: number,
): string => `SELECT i.approval, i.at, i.tier, i.decision, i.server
  FROM (VALUES ${marks(count, '(?)')}) AS asked JOIN receipt_index AS i ON i.seq =
    (SELECT seq FROM receipt_index AS one WHERE one.approval = asked.column1 AND one.approval <> ''
      AND one.seq < ? AND one.${IS_CALL} ORDER BY one.seq DESC LIMIT 1)`;

/** The last calls before a number of the questions that these receipts are of. */
async function findEarlier(
  tx: Tx,
  receipts: readonly CountedReceipt[],
  before: number,
): Promise<ReadonlyMap<string, EarlierCall>> {
  const approvals = new Set(receipts.map(({ approval }) => approval));
  approvals.delete('');
  const found = new Map<string, EarlierCall>();
  for (const part of inParts([...approvals])) {
    const rows = await tx.execute(earlierText(part.length), [...part, before]);
    for (const row of rows as unknown as readonly (EarlierCall & { readonly approval: string })[]) {
      found.set(row.approval, row); // the columns are those of the index
    }
  }
  return found;
}

export async function addCounts(tx: Tx, hourly: CallCounts): Promise<void> {
  for (const hours of SPANS) {
    const { counts, money } = inSpansOf(hourly, hours * HOUR);
    for (const part of inParts(counts)) {
      const values = part.flatMap((one) => [
        hours,
        one.startsAt,
        one.tier,
        one.decision,
        one.server,
        one.calls,
      ]);
      await tx.execute(addCountsText(part.length), values);
    }
    for (const part of inParts(money)) {
      const values = part.flatMap((one) => [
        hours,
        one.startsAt,
        one.server,
        one.unit,
        one.calls,
        one.amount,
      ]);
      await tx.execute(addMoneyText(part.length), values);
    }
  }
}

const addCountsText = (rows: number): string =>
  `INSERT INTO usage_counts (hours, starts_at, tier, decision, server, calls)
    VALUES ${marks(rows, '(?, ?, ?, ?, ?, ?)')} ON CONFLICT (hours, starts_at, tier, decision, server)
    DO UPDATE SET calls = usage_counts.calls + excluded.calls`;

const addMoneyText = (rows: number): string =>
  `INSERT INTO usage_money (hours, starts_at, server, unit, calls, amount)
    VALUES ${marks(rows, '(?, ?, ?, ?, ?, ?)')} ON CONFLICT (hours, starts_at, server, unit)
    DO UPDATE SET calls = usage_money.calls + excluded.calls, amount = usage_money.amount + excluded.amount`;

function marks(count: number, each: string): string {
  return Array.from({ length: count }, () => each).join(', ');
}

/** This many rows go into one statement; the rest are one by one, so that few statements are prepared. */
const ROWS_AT_ONCE = 32;

function* inParts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length;) {
    const count = all.length - at >= ROWS_AT_ONCE ? ROWS_AT_ONCE : 1;
    yield all.slice(at, at + count);
    at += count;
  }
}

interface Spans {
  readonly hours: Hours;
  /** Milliseconds; the end is exclusive. Both are where a span starts. */
  readonly start: number;
  readonly end: number;
}

interface UsageQuery extends Spans {
  readonly mostUncounted: number;
}

export interface Usage extends CallCounts {
  /** How many of the newest receipts are not counted here. */
  readonly missing: number;
}

/** Counts from the ledger, and from the bodies of the receipts that are not counted there yet. */
export async function readUsage(
  tx: Tx,
  { hours, start, end, mostUncounted }: UsageQuery,
): Promise<Usage> {
  const { read, counted, logged } = await readSteadily(tx, () =>
    readCounts(tx, { hours, start, end }),
  );
  const { counts, money } = read;
  const last = Math.min(logged, counted + mostUncounted);
  const receipts = await readReceipts(tx, counted, last);
  const newer = countCalls(receipts, await findEarlier(tx, receipts, counted));
  const all = inSpansOf(
    { counts: [...counts, ...newer.counts], money: [...money, ...newer.money] },
    hours * HOUR,
  );
  const isWithin = ({ startsAt }: { readonly startsAt: number }): boolean =>
    startsAt >= start && startsAt < end;
  return {
    counts: all.counts.filter((count) => isWithin(count) && count.calls > 0),
    money: all.money.filter(isWithin),
    missing: Math.max(0, logged - last),
  };
}

const IS_IN_SPANS = 'WHERE hours = ? AND starts_at >= ? AND starts_at < ?';
const COUNTS = `SELECT starts_at AS "startsAt", tier, decision, server, calls
  FROM usage_counts ${IS_IN_SPANS}`;
const MONEY = `SELECT starts_at AS "startsAt", server, unit, calls, amount
  FROM usage_money ${IS_IN_SPANS}`;

export async function readCounts(tx: Tx, { hours, start, end }: Spans): Promise<CallCounts> {
  const spans = [hours, start, end];
  // The columns are those of the tables.
  const counts = (await tx.execute(COUNTS, spans)) as unknown as readonly CallCount[];
  const money = (await tx.execute(MONEY, spans)) as unknown as readonly MoneySum[];
  return { counts, money };
}

interface Steady<T> extends Ends {
  readonly read: T;
}

/** Each try that fails, somebody has counted a whole page of receipts meanwhile. */
const MOST_TRIES = 100;

/** Once more if somebody counted meanwhile: on PostgreSQL each statement sees what is committed by then. */
export async function readSteadily<T>(tx: Tx, reading: () => Promise<T>): Promise<Steady<T>> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { counted } = await readEnds(tx);
    const read = await reading();
    const ends = await readEnds(tx);
    if (ends.counted === counted) return { ...ends, read };
  }
  throw new Error(
    `the counts of calls changed each of the ${MOST_TRIES} times they were read; try again when fewer calls are made`,
  );
}

/** Then everything else in this process has its turn. */
const AT_ONCE = 500;

async function readReceipts(tx: Tx, from: number, end: number): Promise<readonly CountedReceipt[]> {
  const sql = 'SELECT seq, body FROM receipt_log WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT ?';
  const receipts: CountedReceipt[] = [];
  for (let next = from; next < end;) {
    const rows = (await tx.execute(sql, [next, end, AT_ONCE])) as unknown as readonly Pick<
      LogRow,
      'seq' | 'body'
    >[]; // its columns
    for (const { body } of rows) receipts.push(toCounted(readBody(body) ?? {}));
    next = (rows.at(-1)?.seq ?? end) + 1;
    await new Promise(setImmediate);
  }
  return receipts;
}
