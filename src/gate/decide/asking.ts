/** How people are asked unless a policy says otherwise, and how a rule's wishes go on top. */
import type { Asking, GrantScope } from './verdict.ts';

/** Narrowest first. */
export const GRANT_SCOPES: readonly GrantScope[] = Object.freeze(['call', 'arguments', 'session']);

export const LONGEST_EXPIRY_SECONDS = 900;

export const DEFAULT_ASKING: Asking = Object.freeze({
  channels: Object.freeze(['console', 'terminal'] as const),
  grants: Object.freeze(['call'] as const),
  expirySeconds: LONGEST_EXPIRY_SECONDS,
  holdSeconds: 45,
  grantMinutes: 15,
});

export function toAsking(base: Asking, wishes: Partial<Asking> = {}): Asking {
  const asking = { ...base, ...wishes };
  return Object.freeze({
    channels: Object.freeze([...new Set(asking.channels)]),
    grants: Object.freeze(
      GRANT_SCOPES.filter((scope) => scope === 'call' || asking.grants.includes(scope)),
    ),
    expirySeconds: Math.min(asking.expirySeconds, LONGEST_EXPIRY_SECONDS),
    holdSeconds: Math.min(asking.holdSeconds, asking.expirySeconds),
    grantMinutes: asking.grantMinutes,
  });
}
