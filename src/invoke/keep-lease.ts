/** Keeps the lease of a claim alive while its work goes on, so that nobody takes it for abandoned. */
import type { Flow, Services } from './flow.ts';

export function keepLease({ claim }: Flow, { ledger, report }: Services): AsyncDisposable {
  if (claim === undefined || claim.held.effectClass === 'local') {
    return { [Symbol.asyncDispose]: async () => {} };
  }
  const beat = setInterval(() => {
    ledger?.claims
      ?.extend(claim.held, claim.rules)
      .catch((error: unknown) => report('a lease could not be extended', error));
  }, claim.rules.leaseMs / 3);
  beat.unref();
  return { [Symbol.asyncDispose]: async () => clearInterval(beat) };
}
