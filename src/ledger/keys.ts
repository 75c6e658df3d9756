/**
 * The keys that a ledger derives from its one master key: for the keys sent to partners, for digests of
 * secrets and arguments, and for signing checkpoints.
 */
import { createPrivateKey, createPublicKey, createSecretKey, hash, hkdfSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { openHmac } from '../lib/hmac-sha256.ts';

export interface LedgerKeys {
  /** Distinguishes master keys, and reveals nothing about them. */
  readonly id: string;
  /** A partner sees this and learns nothing about the caller's own key. */
  readonly partnerKey: (keyRecord: string) => string;
  /** Keyed: arguments are often guessable, and a plain digest would confirm the guess. */
  readonly digest: (text: string) => string;
  readonly secretKey: Buffer;
  /** Seals what clients carry back to a gate. */
  readonly sealKey: KeyObject;
  /** Shows a gate that a console is one of this ledger. */
  readonly consoleKey: KeyObject;
  readonly signingKey: KeyObject;
}

/** The PKCS #8 prefix of a 32-byte Ed25519 key. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export const LEAST_KEY_BYTES = 32;

export function deriveKeys(master: Buffer): LedgerKeys {
  if (master.length < LEAST_KEY_BYTES) {
    throw new TypeError(`a ledger key has at least ${LEAST_KEY_BYTES} bytes`);
  }
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', master, '', `plimsoll/${purpose}`, 32));
  const signingKey = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, derive('checkpoint')]),
    format: 'der',
    type: 'pkcs8',
  });
  return Object.freeze({
    id: idOf(signingKey),
    partnerKey: openHmac(derive('partner')),
    digest: openHmac(derive('digest')),
    secretKey: derive('secret'),
    sealKey: createSecretKey(derive('seal')),
    consoleKey: createSecretKey(derive('console')),
    signingKey,
  });
}

/** From the public half, so that whoever verifies can tell as well which key it is. */
function idOf(signingKey: KeyObject): string {
  const { x = '' } = createPublicKey(signingKey).export({ format: 'jwk' });
  return hash('sha256', Buffer.from(x, 'base64url'), 'hex').slice(0, 16);
}
