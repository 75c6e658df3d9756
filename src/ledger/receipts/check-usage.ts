/**
 * Audits the counts that charts are drawn from. Every receipt that they cover is taken off again, and then nothing
 * may be left of them.
 */
import type { Store } from '../store.ts';
import type { AuditFinding } from './audit-finding.ts';
import { toFinding } from './audit-finding.ts';
import type { AuditRow } from './check-log.ts';
import type { CallCounts, EarlierCall } from './count-calls.ts';
import { HOUR, inSpansOf, isSpend, toMoney } from './count-calls.ts';
import { isCall } from './is-call.ts';
import type { Body } from './receipt-columns.ts';
import { readCounts, readSteadily } from './usage-counts.ts';

const ALL = { start: Number.MIN_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER };
const NONE: CallCounts = { counts: [], money: [] };

/** Spans that nothing reads. A row that was tampered with may have anything there. */
const IS_STRAY = `hours NOT IN (1, 24) OR NOT (starts_at BETWEEN ${ALL.start} AND ${ALL.end})`;
const STRAYS = `SELECT 1 AS one FROM usage_counts WHERE ${IS_STRAY}
  UNION ALL SELECT 1 AS one FROM usage_money WHERE ${IS_STRAY} LIMIT 1`;

export class UsageCheck {
  readonly #counted: number;
  readonly #left = new Remainder();
  /** The last calls of questions that wait. */
  readonly #waiting = new Map<string, EarlierCall>();
  /** Where spans start of which something is wrong. */
  readonly #wrong: Set<number>;
  /** What is wrong beside them. */
  readonly #faults: readonly string[];

  /** Before the log is read: it then has every receipt that is counted. */
  static async open(store: Store): Promise<UsageCheck> {
    try {
      const { read, counted, isCounterWrong } = await store.transaction((tx) =>
        readSteadily(tx, async () => ({
          hourly: await readCounts(tx, { hours: 1, ...ALL }),
          daily: await readCounts(tx, { hours: 24, ...ALL }),
          strays: await tx.execute(STRAYS),
        })),
      );
      return new UsageCheck(read.hourly, read.daily, counted, [
        ...(isCounterWrong ? ['The counter of counted receipts does not match the index.'] : []),
        ...(read.strays.length > 0 ? ['There are counts of spans that no chart has.'] : []),
      ]);
    } catch (error) {
      // Only numbers that no valid count has are out of range.
      if (!(error instanceof RangeError)) throw error;
      return new UsageCheck(NONE, NONE, 0, ['Some of the counts are not counts of the log.']);
    }
  }

  private constructor(
    hourly: CallCounts,
    daily: CallCounts,
    counted: number,
    faults: readonly string[],
  ) {
    this.#counted = counted;
    this.#faults = faults;
    // Days are hours added up, so only the hours are compared with the log.
    const days = new Remainder();
    days.addAll(inSpansOf(hourly, 24 * HOUR), 1);
    days.addAll(daily, -1);
    this.#wrong = new Set(days.starts());
    this.#left.addAll(hourly, 1);
  }

  take(row: AuditRow, body: Body | undefined): void {
    // Whatever is wrong with the log or its index is found elsewhere.
    if (row.seq >= this.#counted || row.leaf === null || !isCall(row)) return;
    const { at, tier, decision, server, approval } = row;
    this.#left.count(startOf(at), tier, decision, server).calls -= 1;
    if (approval !== '') {
      const previous = this.#waiting.get(approval);
      if (previous !== undefined) {
        const { at: askedAt, ...asked } = previous;
        this.#left.count(startOf(askedAt), asked.tier, asked.decision, asked.server).calls += 1;
        this.#waiting.delete(approval);
      }
      if (decision === 'waiting') this.#waiting.set(approval, row);
    }
    if (body === undefined || !isSpend(row)) return;
    const { amount, unit } = toMoney(body);
    if (amount !== undefined) this.#left.money(startOf(at), server, unit).add(-1, -amount);
  }

  /** Only of a log in which nothing else is wrong: the counts are those of what was in it. */
  end(): readonly AuditFinding[] {
    const starts = new Set([...this.#wrong, ...this.#left.starts()]);
    const messages = [...starts].toSorted((a, b) => a - b).map(toMessage);
    return [...this.#faults, ...messages].map((message) => toFinding('count-mismatch', 0, message));
  }
}

/** What is left of the counts. Maps in maps: to put a key together for each receipt took three times as long. */
class Remainder {
  readonly #counts = new Map<number, Map<string, Map<string, Map<string, { calls: number }>>>>();
  readonly #money = new Map<number, Map<string, Map<string, MoneyLeft>>>();

  count(startsAt: number, tier: string, decision: string, server: string): { calls: number } {
    const byDecision = within(within(this.#counts, startsAt, newMap), tier, newMap);
    return within(within(byDecision, decision, newMap), server, newCount);
  }

  money(startsAt: number, server: string, unit: string): MoneyLeft {
    return within(within(within(this.#money, startsAt, newMap), server, newMap), unit, newMoney);
  }

  addAll({ counts, money }: CallCounts, sign: 1 | -1): void {
    for (const { startsAt, tier, decision, server, calls } of counts) {
      this.count(startsAt, tier, decision, server).calls += sign * calls;
    }
    for (const { startsAt, server, unit, calls, amount } of money) {
      this.money(startsAt, server, unit).add(sign * calls, sign * amount);
    }
  }

  /** Where the spans start of which there is something left. */
  *starts(): Generator<number> {
    for (const [start, tiers] of this.#counts) {
      const cells = [...tiers.values()].flatMap((decisions) =>
        [...decisions.values()].flatMap((servers) => [...servers.values()]),
      );
      if (cells.some(({ calls }) => calls !== 0)) yield start;
    }
    for (const [start, servers] of this.#money) {
      const sums = [...servers.values()].flatMap((units) => [...units.values()]);
      if (sums.some(({ isNothing }) => !isNothing)) yield start;
    }
  }
}

/** Amounts that are added in another order differ in their last digits. */
const ROUNDING = 1e-9;

class MoneyLeft {
  #calls = 0;
  #amount = 0;
  /** All that was added and taken off, which rounding is in proportion to. */
  #moved = 0;

  get isNothing(): boolean {
    return this.#calls === 0 && Math.abs(this.#amount) <= this.#moved * ROUNDING;
  }

  add(calls: number, amount: number): void {
    this.#calls += calls;
    this.#amount += amount;
    this.#moved += Math.abs(amount);
  }
}

function within<K, V>(map: Map<K, V>, key: K, make: () => NoInfer<V>): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function newMap<K, V>(): Map<K, V> {
  return new Map();
}

function newCount(): { calls: number } {
  return { calls: 0 };
}

function newMoney(): MoneyLeft {
  return new MoneyLeft();
}

function startOf(at: number): number {
  return Math.floor(at / HOUR) * HOUR;
}

/** A row that was tampered with may have any time, or none. */
function toMessage(start: number): string {
  const time = new Date(start);
  if (Number.isNaN(time.getTime())) return 'Some of the counts are not counts of the log.';
  return `The counts of what began after ${time.toISOString()} are not those of the log.`;
}
