/**
 * Ids for things that are stored in order of time: UUID version 7. Neighbours in time are neighbours in
 * an index, which makes storing many of them far cheaper than fully random ids.
 */
import { openRandomHex } from './random-hex.ts';

const nextHex = openRandomHex(19);

export function newId(now: number = Date.now()): string {
  if (now !== prefixed) {
    const time = now.toString(16).padStart(12, '0');
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    prefixed = now;
  }
  const random = nextHex();
  const variant = VARIANTS[DIGITS.indexOf(random.charAt(3)) & 3];
  return `${prefix}${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7)}`;
}

/** The beginning of all ids of one millisecond. */
let prefix = '';
let prefixed = Number.NaN;

/** The two highest bits of this digit say which kind of UUID it is; the rest is random. */
const VARIANTS = ['8', '9', 'a', 'b'];
const DIGITS = '0123456789abcdef';
