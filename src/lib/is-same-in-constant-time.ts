/** Compares texts so that the time taken tells nothing but their lengths. For hashes and tokens. */
import { timingSafeEqual } from 'node:crypto';

export function isSameInConstantTime(left: string, right: string): boolean {
  // UTF-8 would make all halves of surrogate pairs alike.
  const [a, b] = [Buffer.from(left, 'utf16le'), Buffer.from(right, 'utf16le')];
  return a.length === b.length && timingSafeEqual(a, b);
}
