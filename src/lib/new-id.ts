/**
 * Ids for things that are stored in order of time: UUID version 7. Neighbours in time are neighbours in
 * an index, which makes storing many of them far cheaper than fully random ids.
 */
import { randomFillSync } from 'node:crypto';

const POOL = Buffer.alloc(10 * 512);
const RANDOM_BYTES = 10;
let used = POOL.length;

export function newId(now: number = Date.now()): string {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  if (now !== prefixed) {
    const time = now.toString(16).padStart(12, '0');
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    prefixed = now;
  }
  const random = POOL.toString('hex', used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  const variant = VARIANTS[parseInt(random.charAt(3), 16) & 3];
  return `${prefix}${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/** The beginning of all ids of one millisecond. */
let prefix = '';
let prefixed = Number.NaN;

/** The two highest bits of this digit say which kind of UUID it is; the rest is random. */
const VARIANTS = ['8', '9', 'a', 'b'];
