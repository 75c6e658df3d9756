/**
 * One-time secrets: `prefix_` and 36 base62 characters, of which the last six are a checksum, so that
 * scanners recognize one offline. Only their keyed hash is stored; the public id is random on its own
 * and reveals nothing about the secret.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { nodeZlib } from './builtins.ts';
import { Secret } from './secret.ts';

interface MintedSecret {
  /** For logs and revocation. */
  readonly id: string;
  readonly secret: Secret;
}

/** A verdict on the form alone; only the stored hashes show whether it was ever minted. */
type SecretTokenReading =
  | { readonly kind: 'token'; readonly prefix: string }
  | { readonly kind: 'refused'; readonly code: 'wrong-shape' | 'wrong-checksum' };

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 176 bits in 30 characters. */
const BODY_BYTES = 22;
const BODY_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const ID_BYTES = 16;
const ID_LENGTH = 22;
const LEAST_KEY_BYTES = 32;

const WRONG_SHAPE = Object.freeze({ kind: 'refused', code: 'wrong-shape' });
const WRONG_CHECKSUM = Object.freeze({ kind: 'refused', code: 'wrong-checksum' });

const PREFIX = /^[a-z][a-z\d]{1,15}$/;
const TOKEN = /^([a-z][a-z\d]{1,15})_([A-Za-z\d]{30})([A-Za-z\d]{6})$/;

export function mintSecretToken(
  prefix: string,
  random: (size: number) => Uint8Array = randomBytes,
): MintedSecret {
  if (!PREFIX.test(prefix)) throw new TypeError('a prefix is 2 to 16 small letters and digits');
  const body = toBase62(fromBytes(random(BODY_BYTES)), BODY_LENGTH);
  const checksum = toBase62(BigInt(nodeZlib().crc32(prefix + body)), CHECKSUM_LENGTH);
  const secret = new Secret(`${prefix}_${body}${checksum}`);
  // With a hyphen, so that the id is never taken for a token.
  const id = `${prefix}-${toBase62(fromBytes(random(ID_BYTES)), ID_LENGTH)}`;
  return Object.freeze({ id, secret });
}

export function readSecretToken(text: string): SecretTokenReading {
  const [, prefix, body, checksum] = TOKEN.exec(text) ?? [];
  if (prefix === undefined || body === undefined || checksum === undefined) return WRONG_SHAPE;
  if (fromBase62(checksum) !== nodeZlib().crc32(prefix + body)) return WRONG_CHECKSUM;
  return Object.freeze({ kind: 'token', prefix });
}

/** What is stored in place of the token: without the key, the stored hashes reveal nothing. */
export function hashSecretToken(text: string, key: Uint8Array): string {
  if (key.length < LEAST_KEY_BYTES) throw new TypeError('the key must have 32 bytes or more');
  return createHmac('sha256', key).update(text).digest('hex');
}

function fromBytes(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function toBase62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n)
    digits = BASE62.charAt(Number(rest % 62n)) + digits;
  return digits.padStart(length, '0');
}

function fromBase62(digits: string): number {
  return Array.from(digits).reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
}
