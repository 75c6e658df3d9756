/**
 * Digests of secrets. Tokens are long and random, so one round is enough; passwords are neither, so
 * scrypt.
 */
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const derived = await derive(password, salt);
  return `scrypt$${salt.toString('hex')}$${derived.toString('hex')}`;
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, salt = '', expected = ''] = hash.split('$');
  const derived = await derive(password, Buffer.from(salt, 'hex'));
  return timingSafeEqual(derived, Buffer.from(expected, 'hex'));
}

const LENGTH = 32;

async function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, LENGTH, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
