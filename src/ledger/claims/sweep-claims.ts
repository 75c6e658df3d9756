/** What time alone does to claims: abandoned ones become unknown, old answers are dropped. */
import type { Store } from '../store.ts';
import type { ClaimRules, ClaimState, EffectClass } from './claim.ts';
import { CLAIM_RULES, toClaim } from './claim.ts';
import { claimMachine } from './claim-machine.ts';
import { apply } from './claims.ts';

export interface SweepOptions {
  readonly rules?: ClaimRules;
  /** How many claims of each kind are looked at. */
  readonly limit?: number;
}

interface Due {
  readonly where: { readonly state: ClaimState; readonly effect_class?: EffectClass };
  readonly column: 'lease_until' | 'expires_at' | 'dispatched_at';
  readonly by: number;
}

/**
 * Which claims may be due, and by what. Those of a partner that dedups wait for their caller until
 * the partner forgets; asked for by lease they would crowd out the others.
 */
function dueAt(now: number, rules: ClaimRules): readonly Due[] {
  const abandoned = (['local', 'lookup', 'opaque'] as const).map((effect_class): Due => ({
    where: { state: 'DISPATCHED', effect_class },
    column: 'lease_until',
    by: now,
  }));
  return [
    ...abandoned,
    {
      where: { state: 'DISPATCHED', effect_class: 'dedup' },
      column: 'dispatched_at',
      by: now - rules.downstreamMs,
    },
    { where: { state: 'SUCCEEDED' }, column: 'expires_at', by: now },
    { where: { state: 'FAILED_FINAL' }, column: 'expires_at', by: now },
  ];
}

/** Gives the number of claims that were moved. */
export async function sweepClaims(store: Store, options: SweepOptions = {}): Promise<number> {
  const { rules = CLAIM_RULES, limit = 500 } = options;
  return store.transaction(async (tx) => {
    const now = await tx.now();
    let moved = 0;
    for (const { where, column, by } of dueAt(now, rules)) {
      const upTo = { column, value: by };
      const rows = await tx.list('claims', { where, upTo, orderBy: column, limit });
      for (const claim of rows.map(toClaim)) {
        const write = claimMachine.sweep(claim, now, rules);
        if (write !== undefined && (await apply(tx, write))) moved += 1;
      }
    }
    return moved;
  });
}
