/** What time alone does to claims: abandoned ones become unknown, old answers are dropped. */
import type { Store } from '../store.ts';
import type { ClaimRules, ClaimState } from './claim.ts';
import { CLAIM_RULES, toClaim } from './claim.ts';
import { claimMachine } from './claim-machine.ts';
import { apply } from './claims.ts';

export interface SweepOptions {
  readonly rules?: ClaimRules;
  /** How many claims of each state are looked at. */
  readonly limit?: number;
}

/** Each state with the time by which it may be due. */
const DUE: readonly (readonly [ClaimState, 'lease_until' | 'expires_at'])[] = [
  ['DISPATCHED', 'lease_until'],
  ['SUCCEEDED', 'expires_at'],
  ['FAILED_FINAL', 'expires_at'],
];

/** Gives the number of claims that were moved. */
export async function sweepClaims(store: Store, options: SweepOptions = {}): Promise<number> {
  const { rules = CLAIM_RULES, limit = 500 } = options;
  return store.transaction(async (tx) => {
    const now = await tx.now();
    let moved = 0;
    for (const [state, column] of DUE) {
      const upTo = { column, value: now };
      const rows = await tx.list('claims', { where: { state }, upTo, orderBy: column, limit });
      for (const claim of rows.map(toClaim)) {
        const write = claimMachine.sweep(claim, now, rules);
        if (write !== undefined && (await apply(tx, write))) moved += 1;
      }
    }
    return moved;
  });
}
