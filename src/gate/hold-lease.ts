/** Keeps the lease of a claim alive while its call is under way. */
import type { Admission } from '../ledger/claims/claims.ts';
import type { GateServices } from './gate-services.ts';

export function holdLease(
  claim: Extract<Admission, { readonly kind: 'held' }> | undefined,
  { ledger, report }: GateServices,
): AsyncDisposable {
  if (claim === undefined) return { [Symbol.asyncDispose]: async () => {} };
  const { held, rules } = claim;
  let last: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    last = ledger.claims.extend(held, rules).catch((error: unknown) => {
      report(`the lease of claim ${held.id} could not be extended`, error);
    });
  }, rules.leaseMs / 3);
  timer.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await last;
    },
  };
}
