/** Names the claim of one key: apart for each tenant, principal and operation, and without the key. */
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../../lib/canonical-json.ts';

export interface KeyScope {
  readonly tenant: string;
  readonly principal: string;
  readonly operation: string;
}

export function toClaimId({ tenant, principal, operation }: KeyScope, key: string): string {
  return digest(toCanonicalJson([tenant, principal, operation, digest(key)]));
}

/** Enough to tell claims apart in a list; far too little to find the key. */
export function toKeyHint(key: string): string {
  return digest(key).slice(0, 8);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
