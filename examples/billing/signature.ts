/** The signature of a webhook delivery: when it was made, and an HMAC of that time and the body. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** `t=<unix seconds>,v1=<hex of HMAC-SHA-256 of "t.body">` */
export function sign(secret: string, body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  return `t=${t},v1=${digest(secret, t, body)}`;
}

const TOLERANCE_SECONDS = 300;

/** What a receiver does: in constant time, and not for an old delivery that somebody sends again. */
export function verifySignature(secret: string, header: string, body: string, now: Date): boolean {
  const [, t = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (t === '' || Math.abs(now.getTime() / 1000 - Number(t)) > TOLERANCE_SECONDS) return false;
  const wanted = digest(secret, Number(t), body);
  return timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
}

function digest(secret: string, t: number, body: string): string {
  return createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
}
