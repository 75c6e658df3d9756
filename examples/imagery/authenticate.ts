/**
 * Resolves a token: to a principal given by the starter of the server, or to one of the shop's API
 * keys.
 */
import type { Authenticate } from 'plimsoll/server';
import { hashToken } from './secret-hash.ts';
import type { Store } from './store.ts';

export function authenticateBy(store: Store, others: Authenticate | undefined): Authenticate {
  return async (token) => {
    const known = await others?.(token);
    if (known !== undefined) return known;
    const key = store.apiKeys.findByHash(hashToken(token));
    if (key === undefined) return undefined;
    return {
      id: key.id,
      tenant: key.organization_id,
      scopes: key.permissions,
      ...(key.expires_at !== null && { expiresAt: Date.parse(key.expires_at) / 1000 }),
    };
  };
}
