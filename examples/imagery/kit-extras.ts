/** What operations take from the kit beyond declaring and refusing: the key of a call, and secrets shown once. */
import { randomUUID } from 'node:crypto';
import type { Call, Partner, SecretIssuer } from 'plimsoll/server';

/** A call without a key is an intention of its own. */
export function keyOf({ key }: Call): string {
  return key ?? randomUUID();
}

export function secretsOf({ secrets }: Call): SecretIssuer {
  if (secrets === undefined) throw new Error('secrets need a ledger that keeps their digests');
  return secrets;
}

const YEAR_SECONDS = 365 * 86_400;

/** The store keeps every key for as long as it stands, so a call can be sent again at any time. */
export const KEPT_BY_STORE: Partner = Object.freeze({
  class: 'dedup',
  keyLifetimeSeconds: 10 * YEAR_SECONDS,
});
