/**
 * Counts calls by their receipts: by time, tier, decision and server. A question that was polled is one call. A span of time that is over is counted once and
 * cached; only the current one is counted again.
 */
import type { Tier } from '../../effect/tier.ts';
import type { Budget } from '../../gate/policy/verdict.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { indexReceipts } from '../../ledger/receipts/index-receipts.ts';
import { IS_CALL } from '../../ledger/receipts/is-call.ts';
import { polledAgain } from '../../ledger/receipts/read-receipts.ts';
import type { Store } from '../../ledger/store.ts';
import type { ConsoleServices } from '../console-services.ts';

export type UsageSpan = 'day' | 'month';

export interface Bucket {
  /** Milliseconds; the end is the start of the next. */
  readonly start: number;
  readonly end: number;
  readonly counts: readonly Count[];
}

export interface Count {
  readonly tier: Tier;
  readonly decision: Receipt['decision'];
  readonly server: string;
  readonly count: number;
}

interface Usage {
  /** The last 24 hours, hour by hour, or the last 30 days, day by day; the oldest first. */
  read(span: UsageSpan, now: number): Promise<readonly Bucket[]>;
}

const HOUR = 3_600_000;
const SPANS: Readonly<Record<UsageSpan, { readonly length: number; readonly count: number }>> =
  Object.freeze({ day: { length: HOUR, count: 24 }, month: { length: 24 * HOUR, count: 30 } });

/** A call's receipt is dated when the call began and written when it ended. */
const LATE_MS = HOUR;

const COUNT = `SELECT tier, decision, server, COUNT(*) AS count FROM receipt_index
  WHERE at >= ? AND at < ? AND ${IS_CALL} GROUP BY tier, decision, server`;

/** Searched by themselves, since they are few. */
const POLLED = `SELECT tier, server, COUNT(*) AS count FROM receipt_index AS asked
  WHERE at >= ? AND at < ? AND ${polledAgain('asked')} GROUP BY tier, server`;

export function openUsage(store: Store): Usage {
  const known = new Map<string, Bucket>();
  return Object.freeze({
    async read(span, now) {
      const { length, count } = SPANS[span];
      const last = Math.floor(now / length) * length;
      const buckets: Bucket[] = [];
      await indexReceipts(store);
      for (let index = count - 1; index >= 0; index -= 1) {
        const start = last - index * length;
        const key = `${span} ${start}`;
        // One after another, so that calls can be recorded in between.
        const bucket = known.get(key) ?? (await readBucket(store, start, start + length));
        if (bucket.end + LATE_MS < now) known.set(key, bucket);
        buckets.push(bucket);
      }
      const oldest = buckets[0]?.start ?? 0;
      for (const [key, bucket] of known) {
        if (key.startsWith(span) && bucket.start < oldest) known.delete(key);
      }
      return buckets;
    },
  } satisfies Usage);
}

async function readBucket(store: Store, start: number, end: number): Promise<Bucket> {
  const { all, polled } = await store.transaction(async (tx) => ({
    // The columns are those of the table, and were written from receipts.
    all: (await tx.execute(COUNT, [start, end])) as unknown as readonly Count[],
    polled: (await tx.execute(POLLED, [start, end])) as unknown as readonly Omit<
      Count,
      'decision'
    >[],
  }));
  const again = (one: Count): number =>
    one.decision === 'waiting'
      ? (polled.find(({ tier, server }) => tier === one.tier && server === one.server)?.count ?? 0)
      : 0;
  const counts = all
    .map((one) => ({ ...one, count: one.count - again(one) }))
    .filter(({ count }) => count > 0);
  return Object.freeze({ start, end, counts });
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
