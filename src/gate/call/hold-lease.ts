/** Keeps the lease of a key record alive while its call is under way. */
import type { Admission } from '../../ledger/idempotency/key-records.ts';
import type { GateServices } from '../gate-services.ts';

export function holdLease(
  keyRecord: Extract<Admission, { readonly kind: 'held' }> | undefined,
  { ledger, report }: GateServices,
): AsyncDisposable {
  if (keyRecord === undefined) return { [Symbol.asyncDispose]: async () => {} };
  const { held, rules } = keyRecord;
  let last: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    last = ledger.keyRecords.extend(held, rules).catch((error: unknown) => {
      report(`the lease of key record ${held.id} could not be extended`, error);
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
