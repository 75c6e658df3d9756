/**
 * The form of a one-time secret: a prefix that says what kind it is, 160 random bits, and a checksum
 * by which anyone can recognise one without asking us.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Secret } from './secret.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_LENGTH = 27;
const CHECKSUM_LENGTH = 6;
const RANDOM_BYTES = 20;

/** What a token looks like, for whoever searches a text for some. */
export const TOKEN_FORM = `[a-z][a-z0-9]{1,15}_[0-9A-Za-z]{${BODY_LENGTH + CHECKSUM_LENGTH}}`;

const WHOLE = new RegExp(`^${TOKEN_FORM}$`);
const PREFIX = /^[a-z][a-z0-9]{1,15}$/;

export type TokenReading =
  | { readonly kind: 'token'; readonly prefix: string }
  | { readonly kind: 'not-a-token' };

export function mintSecretToken(
  prefix: string,
  random: (size: number) => Buffer = randomBytes,
): { readonly id: string; readonly secret: Secret } {
  if (!PREFIX.test(prefix))
    throw new TypeError(`"${prefix}" is no prefix; write 2 to 16 of a-z0-9`);
  const body = toBase62(random(RANDOM_BYTES), BODY_LENGTH);
  const secret = new Secret(`${prefix}_${body}${checksum(prefix, body)}`);
  // Drawn apart from the secret, so that it tells nothing of it.
  return { id: `${prefix}id_${random(12).toString('hex')}`, secret };
}

export function readSecretToken(text: string): TokenReading {
  if (!WHOLE.test(text)) return { kind: 'not-a-token' };
  const [prefix = '', rest = ''] = text.split('_');
  const body = rest.slice(0, BODY_LENGTH);
  return checksum(prefix, body) === rest.slice(BODY_LENGTH)
    ? { kind: 'token', prefix }
    : { kind: 'not-a-token' };
}

/** What is kept in place of the secret. Looking a digest up takes the same time whatever is kept. */
export function hashSecretToken(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

function checksum(prefix: string, body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(`${prefix}_${body}`));
  return toBase62(bytes, CHECKSUM_LENGTH);
}

function toBase62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = `${ALPHABET[Number(rest % 62n)]}${text}`;
    rest /= 62n;
  }
  return text;
}
