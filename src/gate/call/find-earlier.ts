/** An equal call whose outcome is not known, which whoever is asked about this one has to hear of. */
import type { EarlierCall } from '../approvals/card.ts';
import type { GateContext } from '../gate-services.ts';
import type { GateCall } from './read-call.ts';
import { toKeyScope } from './weigh.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The last equal call of this caller within a day, unless it is known what became of it. */
export async function findEarlier(
  call: GateCall,
  fingerprint: string,
  { server, services }: GateContext,
): Promise<EarlierCall | undefined> {
  if (fingerprint === '') return undefined;
  const equal = { ...toKeyScope(call, server.name), fingerprint };
  const found = await services.ledger.keyRecords.findDuplicate(equal, DAY_MS);
  if (found === undefined) return undefined;
  const { state, created_at: at, lease_until: leaseUntil } = found;
  if (state === 'UNKNOWN') return { at, isRunning: false };
  // What was claimed only has not been sent.
  return state === 'DISPATCHED' ? { at, isRunning: leaseUntil > services.now() } : undefined;
}
