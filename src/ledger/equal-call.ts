/** How the stores find the key record of an equal call: same caller, operation and arguments. */
import type { KeyRecordRow } from './tables.ts';

export type EqualCall = Pick<KeyRecordRow, 'tenant' | 'principal' | 'operation' | 'fingerprint'>;

/** Records that certainly failed, or whose answer was deleted, do not block a new call. */
export const IS_EQUAL = `fingerprint = ? AND tenant = ? AND principal = ? AND operation = ? AND created_at > ?
  AND state IN ('CLAIMED', 'DISPATCHED', 'UNKNOWN', 'SUCCEEDED')`;
export const NEWEST = 'ORDER BY created_at DESC LIMIT 1';

/** The parameters of `IS_EQUAL`. */
export function toEqualValues(call: EqualCall, since: number): readonly (string | number)[] {
  return [call.fingerprint, call.tenant, call.principal, call.operation, since];
}
