/** How much is left of each budget of the policy in the span that runs now, the fullest pots first. */
import type { Budget } from '../../gate/decide/verdict.ts';
import type { ConsoleServices } from '../console-services.ts';

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
