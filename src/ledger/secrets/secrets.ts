/**
 * One-time secrets: minted here, stored as keyed digests only, redeemed once by one conditional write.
 * Unknown, used, expired and revoked look the same to the caller.
 */
import type { IssuedSecret, Principal, SecretInit, SecretIssuer } from '../../effect/operation.ts';
import { hashSecretToken, mintSecretToken, readSecretToken } from '../../lib/secret-token.ts';
import type { LedgerKeys } from '../keys.ts';
import type { Store, Tx } from '../store.ts';

export interface Secrets {
  /** With `tx`, minting and redeeming are part of that transaction. */
  issuerFor(principal: Principal | undefined, tx?: Tx): SecretIssuer;
}

type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

export function openSecrets(store: Store, keys: LedgerKeys): Secrets {
  return {
    issuerFor(principal, tx) {
      const run: Run = tx === undefined ? (work) => store.transaction(work) : (work) => work(tx);
      return {
        mint: (init) => run((inside) => mint(inside, init, principal, keys)),
        redeem: (text) => run((inside) => redeem(inside, text, keys)),
        revoke: (id) => run((inside) => revoke(inside, id)),
      };
    },
  };
}

async function mint(
  tx: Tx,
  { prefix, subject, ttlSeconds }: SecretInit,
  principal: Principal | undefined,
  keys: LedgerKeys,
): Promise<IssuedSecret> {
  const { id, secret } = mintSecretToken(prefix);
  const now = await tx.now();
  const expires_at = now + ttlSeconds * 1000;
  await tx.insert('secrets', {
    id,
    digest: hashSecretToken(secret.reveal(), keys.secretKey),
    prefix,
    subject,
    tenant: principal?.tenant ?? '',
    principal: principal?.id ?? '',
    created_at: now,
    expires_at,
    used_at: 0,
    revoked_at: 0,
  });
  return { id, secret, expiresAt: new Date(expires_at) };
}

async function redeem(
  tx: Tx,
  text: string,
  keys: LedgerKeys,
): Promise<{ id: string; subject: string } | undefined> {
  if (readSecretToken(text).kind !== 'token') return undefined;
  const digest = hashSecretToken(text, keys.secretKey);
  const row = await tx.find('secrets', { digest });
  const now = await tx.now();
  if (row === undefined || row.expires_at <= now) return undefined;
  const unused = { id: row.id, used_at: 0, revoked_at: 0 };
  const isOurs = await tx.update('secrets', unused, { used_at: now });
  return isOurs ? { id: row.id, subject: row.subject } : undefined;
}

async function revoke(tx: Tx, id: string): Promise<boolean> {
  return tx.update('secrets', { id, revoked_at: 0 }, { revoked_at: await tx.now() });
}
