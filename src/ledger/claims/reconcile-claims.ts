/** Asks about calls whose outcome is unknown, and settles those of which the answer is certain. */
import type { Store } from '../store.ts';
import type { Claim, ClaimRules } from './claim.ts';
import { toClaim } from './claim.ts';
import { claimMachine } from './claim-machine.ts';
import { apply } from './claims.ts';
import type { Verdict } from './moves.ts';

const MOST_AT_ONCE = 100;

/**
 * `ask` is called outside of any transaction, with the store's time of before; what it says is
 * applied only if nothing changed.
 */
export async function reconcileClaims(
  store: Store,
  rulesFor: (claim: Claim) => ClaimRules | undefined,
  ask: (claim: Claim, rules: ClaimRules, now: number) => Promise<Verdict>,
): Promise<number> {
  const { rows, now } = await store.transaction(async (tx) => ({
    now: await tx.now(),
    rows: await tx.list('claims', {
      where: { state: 'UNKNOWN' },
      orderBy: 'updated_at',
      limit: MOST_AT_ONCE,
    }),
  }));
  let settled = 0;
  for (const claim of rows.map(toClaim)) {
    const rules = rulesFor(claim);
    if (rules === undefined) continue;
    const verdict = await ask(claim, rules, now);
    const done = await store.transaction(async (tx) => {
      const write = claimMachine.reconcile(claim, verdict, await tx.now(), rules);
      return write === undefined ? false : apply(tx, write);
    });
    if (done) settled += 1;
  }
  return settled;
}
