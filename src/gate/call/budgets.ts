/**
 * Budgets in the ledger, so that all gates on one ledger share them. What is known before a call is
 * reserved in the caller's own transaction and never exceeds the limit; what is known only after it
 * is added then, and counts from the next call on.
 */
import { createHash } from 'node:crypto';
import type { Principal } from '../../effect/operation.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import type { BudgetRow } from '../../ledger/tables.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { Budget } from '../policy/verdict.ts';

/** `money`: in whole parts of a unit, or of whatever it is in; `undefined` where it is not known. */
export interface Amount {
  readonly calls: 1;
  readonly money?: (unit?: string) => number | undefined;
}

/** What a call took, or turned out to take. */
interface Spent {
  readonly computeSeconds?: number;
  readonly money?: number;
}

/** What was taken from one pot. */
export interface Draw {
  readonly id: string;
  readonly counts: Budget['counts'];
  readonly amount: number;
}

export type Reservation =
  | { readonly kind: 'reserved'; readonly draws: readonly Draw[] }
  | { readonly kind: 'exhausted'; readonly budget: string; readonly retryAfterSeconds: number };

interface Usage {
  readonly budget: Budget;
  readonly used: number;
  readonly startsAt: number;
  readonly endsAt: number;
}

export interface Budgets {
  reserve(
    tx: Tx,
    budgets: readonly Budget[],
    principal: Principal,
    amount: Amount,
  ): Promise<Reservation>;
  /** Once for each reservation: corrects money, adds compute seconds. */
  settle(draws: readonly Draw[], spent: Spent, tx?: Tx): Promise<void>;
  /** In place of `settle`, when the call certainly did not happen. */
  release(draws: readonly Draw[], tx?: Tx): Promise<void>;
  usage(budgets: readonly Budget[], principal: Principal): Promise<readonly Usage[]>;
  /** Drops the rows of spans that ended this long ago. */
  sweep(olderThanMs: number): Promise<void>;
}

export function openBudgets(store: Store): Budgets {
  const within = <T>(tx: Tx | undefined, work: (tx: Tx) => Promise<T>): Promise<T> =>
    tx === undefined ? store.transaction(work) : work(tx);
  return Object.freeze({
    reserve,
    settle: (draws, spent, tx) =>
      within(tx, (inside) => changeAll(inside, draws, (draw) => correctionOf(draw, spent))),
    release: (draws, tx) =>
      within(tx, (inside) => changeAll(inside, draws, ({ amount }) => -amount)),
    usage: (budgets, principal) =>
      store.transaction(async (tx) => {
        const now = await tx.now();
        const usages: Usage[] = [];
        for (const budget of budgets) {
          const { id, starts_at: startsAt, ends_at: endsAt } = toRow(budget, principal, now);
          const found = await tx.find('budgets', { id });
          usages.push({ budget, used: found?.used ?? 0, startsAt, endsAt });
        }
        return usages;
      }),
    sweep: (olderThanMs) =>
      store.transaction(async (tx) => {
        const before = (await tx.now()) - olderThanMs;
        await tx.execute('DELETE FROM budgets WHERE ends_at <= ?', [before]);
      }),
  } satisfies Budgets);
}

async function reserve(
  tx: Tx,
  budgets: readonly Budget[],
  principal: Principal,
  amount: Amount,
): Promise<Reservation> {
  const now = await tx.now();
  const pots = budgets
    .map((budget) => ({ budget, row: toRow(budget, principal, now) }))
    // Everyone takes the rows in one order, so that no two wait for each other.
    .toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1));
  const draws: Draw[] = [];
  for (const { budget, row } of pots) {
    const draw = { id: row.id, counts: budget.counts, amount: amountOf(budget, amount) };
    if (await take(tx, row, draw.amount, budget.limit)) draws.push(draw);
    else {
      // The caller's transaction goes on, to record the refusal.
      await changeAll(tx, draws, (taken) => -taken.amount);
      const retryAfterSeconds = Math.max(1, Math.ceil((row.ends_at - now) / 1000));
      return Object.freeze({ kind: 'exhausted', budget: budget.name, retryAfterSeconds });
    }
  }
  return Object.freeze({ kind: 'reserved', draws: Object.freeze(draws) });
}

async function take(tx: Tx, row: BudgetRow, amount: number, limit: number): Promise<boolean> {
  await tx.insert('budgets', row);
  // Where nothing can be taken before the call, there must at least be something left.
  const ceiling = Math.floor(limit) - Math.max(amount, 1);
  const taken = await tx.execute(
    'UPDATE budgets SET used = used + ? WHERE id = ? AND used <= ? RETURNING used',
    [amount, row.id, ceiling],
  );
  return taken.length === 1;
}

/** Stops at zero: a row that was dropped and begun anew may hold less than is given back. */
async function changeAll(
  tx: Tx,
  draws: readonly Draw[],
  changeOf: (draw: Draw) => number,
): Promise<void> {
  for (const draw of draws.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const change = changeOf(draw);
    if (change === 0) continue;
    await tx.execute(
      'UPDATE budgets SET used = CASE WHEN used < ? THEN 0 ELSE used + ? END WHERE id = ?',
      [-change, change, draw.id],
    );
  }
}

function amountOf({ counts, unit }: Budget, { calls, money }: Amount): number {
  if (counts === 'calls') return calls;
  return counts === 'money' ? toUnits(money?.(unit) ?? 0) : 0;
}

function correctionOf({ counts, amount }: Draw, { computeSeconds = 0, money }: Spent): number {
  if (counts === 'compute-seconds') return toUnits(computeSeconds);
  return counts === 'money' && money !== undefined ? toUnits(money) - amount : 0;
}

/** Whatever is no amount stops the call, rather than passing for nothing. */
function toUnits(amount: number): number {
  const units = Math.ceil(amount);
  if (!Number.isSafeInteger(units) || units < 0) throw new TypeError(`${amount} is no amount`);
  return units;
}

function toRow(budget: Budget, principal: Principal, now: number): BudgetRow {
  const { name, counts, per, shared, unit } = budget;
  const { start, end } = spanOf(per, now);
  const tenant = shared ? '' : (principal.tenant ?? '');
  const owner = shared ? '' : principal.id;
  const what = unit === undefined ? counts : `${counts} ${unit.toLowerCase()}`;
  const identity = toCanonicalJson([name, what, per, shared, tenant, owner, start]);
  return {
    id: createHash('sha256').update(identity).digest('hex'),
    budget: name,
    tenant,
    principal: owner,
    starts_at: start,
    ends_at: end,
    used: 0,
  };
}

/** The span of time that a budget counts in: whole minutes, hours, days or months of UTC. */
interface BudgetSpan {
  /** Milliseconds; the end is the start of the next. */
  readonly start: number;
  readonly end: number;
}

const LENGTHS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export function spanOf(per: Budget['per'], now: number): BudgetSpan {
  if (per === 'month') {
    const date = new Date(now);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
  }
  const start = Math.floor(now / LENGTHS[per]) * LENGTHS[per];
  return { start, end: start + LENGTHS[per] };
}
