/** URLs that expire and cannot be altered: the path and its end of validity are signed. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export function signUrl(base: string, path: string, expiresAt: Date, key: Buffer): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1000));
  return `${base}${path}?expires=${expires}&signature=${signatureOf(path, expires, key)}`;
}

export function isSigned(url: URL, now: Date, key: Buffer): boolean {
  const expires = url.searchParams.get('expires') ?? '';
  const given = Buffer.from(url.searchParams.get('signature') ?? '');
  const expected = Buffer.from(signatureOf(url.pathname, expires, key));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return Number(expires) * 1000 > now.getTime();
}

function signatureOf(path: string, expires: string, key: Buffer): string {
  return createHmac('sha256', key).update(`${expires} ${path}`).digest('base64url');
}
