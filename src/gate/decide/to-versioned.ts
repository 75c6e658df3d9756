/** Gives a policy its version, the digest of all it says, and freezes it. */
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Policy } from './policy.ts';

/** Throws TypeError for what JSON cannot say. */
export function toVersioned(fields: Omit<Policy, 'version'>): Policy {
  const canonical = toCanonicalJson(fields as unknown as JsonValue); // plain data by its type
  const version = createHash('sha256').update(canonical).digest('hex');
  return freeze({ version, ...fields });
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && !Object.isFrozen(inner)) freeze(inner);
  }
  return Object.freeze(value);
}
