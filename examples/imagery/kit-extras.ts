/**
 * What operations use from the kit beyond declaring and refusing: the key of a call, and one-time
 * secrets.
 */
import { randomUUID } from 'node:crypto';
import type { Call, Partner, SecretIssuer } from 'plimsoll/server';

/** A call without a key is always a new intention. */
export function keyOf({ key }: Call): string {
  return key ?? randomUUID();
}

export function secretsOf({ secrets }: Call): SecretIssuer {
  if (secrets === undefined) throw new Error('secrets require a ledger that stores their digests');
  return secrets;
}

const YEAR_SECONDS = 365 * 86_400;

/** The store keeps every key forever, so a call can be retried at any time. */
export const KEPT_BY_STORE: Partner = Object.freeze({
  class: 'dedup',
  keyLifetimeSeconds: 10 * YEAR_SECONDS,
});
