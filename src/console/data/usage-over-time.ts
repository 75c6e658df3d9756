/**
 * What was called and spent in the last day or month: calls by time, tier, decision and server, money by server, and
 * how much is left of each budget.
 */
import type { Budget } from '../../gate/policy/verdict.ts';
import type { CallCount, MoneySum } from '../../ledger/receipts/count-calls.ts';
import { HOUR, isSpend } from '../../ledger/receipts/count-calls.ts';
import { readUsage } from '../../ledger/receipts/usage-counts.ts';
import type { Store } from '../../ledger/store.ts';
import type { ConsoleServices } from '../console-services.ts';

export type UsageSpan = 'day' | 'month';

export interface UsageOverTime {
  /** The last 24 hours, hour by hour, or the last 30 days, day by day; the oldest first. */
  readonly buckets: readonly Bucket[];
  readonly money: MoneyByServer;
  /** How many of the newest receipts are not counted yet. */
  readonly missing: number;
}

interface Bucket {
  /** Milliseconds; the end is the start of the next. */
  readonly start: number;
  readonly end: number;
  readonly counts: readonly CallCount[];
}

/** What the calls of a span of time cost, by server and unit, as far as a price was known. */
interface MoneyByServer {
  /** By unit, the largest amount first. */
  readonly sums: readonly ServerMoney[];
  /** Calls that may have cost something, nobody knows how much. */
  readonly unknown: number;
}

export type ServerMoney = Omit<MoneySum, 'startsAt'>;

const SPANS: Readonly<Record<UsageSpan, { readonly hours: 1 | 24; readonly count: number }>> =
  Object.freeze({ day: { hours: 1, count: 24 }, month: { hours: 24, count: 30 } });

/** As far as the index is behind under a load that never ends, and some more. */
const MOST_UNCOUNTED = 20_000;

export async function readUsageOverTime(
  store: Store,
  span: UsageSpan,
  now: number,
  mostUncounted: number = MOST_UNCOUNTED,
): Promise<UsageOverTime> {
  const { hours, count } = SPANS[span];
  const length = hours * HOUR;
  const end = Math.floor(now / length) * length + length;
  const starts = Array.from({ length: count }, (_, index) => end - (count - index) * length);
  const { counts, money, missing } = await store.transaction((tx) =>
    readUsage(tx, { hours, start: end - count * length, end, mostUncounted }),
  );
  const byStart = Map.groupBy(counts, ({ startsAt }) => startsAt);
  const spends = counts.filter(isSpend).reduce((sum, { calls }) => sum + calls, 0);
  return {
    buckets: starts.map((start) => ({
      start,
      end: start + length,
      counts: byStart.get(start) ?? [],
    })),
    money: {
      sums: byServer(money),
      unknown: spends - money.reduce((sum, { calls }) => sum + calls, 0),
    },
    missing,
  };
}

function byServer(money: readonly MoneySum[]): readonly ServerMoney[] {
  const groups = Map.groupBy(money, ({ server, unit }) => JSON.stringify([server, unit]));
  return [...groups.values()]
    .flatMap((alike) => {
      const [first] = alike;
      if (first === undefined) return [];
      const { server, unit } = first;
      const calls = alike.reduce((sum, one) => sum + one.calls, 0);
      const amount = alike.reduce((sum, one) => sum + one.amount, 0);
      return [{ server, unit, calls, amount }];
    })
    .toSorted((a, b) => a.unit.localeCompare(b.unit) || b.amount - a.amount);
}

/** How much is left of each budget of the policy in the current period, the most used first. */
export interface Pot {
  readonly budget: Budget;
  /** Empty for a budget that all share. */
  readonly principal: string;
  readonly tenant: string;
  readonly used: number;
  /** Milliseconds. */
  readonly endsAt: number;
}

const MOST_POTS = 20;

export async function readBudgetsLeft({
  ledger,
  budgets,
  policy,
}: Pick<ConsoleServices, 'ledger' | 'budgets' | 'policy'>): Promise<readonly Pot[]> {
  const pots: Pot[] = [];
  for (const budget of policy.budgets) {
    const owners = budget.shared ? [ALL] : await listOwners(ledger.store, budget);
    for (const { principal, tenant } of owners) {
      const caller = { id: principal, scopes: [], ...(tenant !== '' && { tenant }) };
      const [usage] = await budgets.usage([budget], caller);
      if (usage === undefined) continue;
      pots.push({ budget, principal, tenant, used: usage.used, endsAt: usage.endsAt });
    }
  }
  return pots;
}

interface Owner {
  readonly principal: string;
  readonly tenant: string;
}

const ALL: Owner = Object.freeze({ principal: '', tenant: '' });

async function listOwners(
  store: ConsoleServices['ledger']['store'],
  { name }: Budget,
): Promise<readonly Owner[]> {
  const rows = await store.transaction(async (tx) =>
    tx.execute(
      `SELECT principal, tenant, MAX(used) AS most FROM budgets
        WHERE budget = ? AND ends_at > ? AND principal <> ''
        GROUP BY principal, tenant ORDER BY most DESC LIMIT ?`,
      [name, await tx.now(), MOST_POTS],
    ),
  );
  return rows.map((row) => ({
    principal: String(row['principal']),
    tenant: String(row['tenant']),
  }));
}
