/**
 * API keys: `epd_test_sk_…` is the sandbox, `epd_live_sk_…` is live, and nothing but the prefix says which. A
 * restricted key has no rights here. Others are known to whoever started the server.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Authenticate } from 'plimsoll/server';
import type { Store } from './store.ts';

const PREFIX = /^epd_(restricted_sk_)?(test|live)_(?:sk_)?/;

/** Marks keys that may use nothing here: EPD sells them for its other API. */
export const RESTRICTED = 'restricted';

/** A new key; only its hash is kept. */
export function issueKey(store: Store, account: string, restricted = false): string {
  const environment = store.account(account)?.environment ?? 'test';
  const prefix = restricted ? `epd_restricted_sk_${environment}_` : `epd_${environment}_sk_`;
  const key = prefix + randomBytes(24).toString('hex');
  store.addKey(hashOf(key), account, restricted);
  return key;
}

export function authenticateBy(store: Store, others: Authenticate | undefined): Authenticate {
  return async (token) => {
    const [, , environment] = PREFIX.exec(token) ?? [];
    if (environment === undefined) return others?.(token);
    const key = store.findKey(hashOf(token));
    if (key === undefined || store.account(key.account)?.environment !== environment) {
      return undefined;
    }
    return {
      id: `key_${hashOf(token).slice(0, 12)}`,
      tenant: key.account,
      scopes: key.restricted ? [RESTRICTED] : [],
    };
  };
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
