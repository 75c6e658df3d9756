/**
 * The keys that a ledger derives from its one master key: for the keys sent to partners, for digests of
 * secrets and arguments, and for signing checkpoints.
 */
import { createHmac, createPrivateKey, createSecretKey, hkdfSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** Key objects for digests: a plain buffer would be imported for every digest. */
export interface LedgerKeys {
  /** A partner sees this and learns nothing about the caller's own key. */
  readonly partnerKey: (keyRecord: string) => string;
  readonly digestKey: KeyObject;
  readonly secretKey: Buffer;
  /** Seals what clients carry back to a gate. */
  readonly sealKey: KeyObject;
  readonly signingKey: KeyObject;
}

/** The PKCS #8 prefix of a 32-byte Ed25519 key. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export function deriveKeys(master: Buffer): LedgerKeys {
  if (master.length < 32) throw new TypeError('a ledger key has at least 32 bytes');
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', master, '', `plimsoll/${purpose}`, 32));
  const partner = createSecretKey(derive('partner'));
  return Object.freeze({
    partnerKey: (keyRecord: string) =>
      createHmac('sha256', partner).update(keyRecord).digest('hex'),
    digestKey: createSecretKey(derive('digest')),
    secretKey: derive('secret'),
    sealKey: createSecretKey(derive('seal')),
    signingKey: createPrivateKey({
      key: Buffer.concat([PKCS8_ED25519, derive('checkpoint')]),
      format: 'der',
      type: 'pkcs8',
    }),
  });
}
