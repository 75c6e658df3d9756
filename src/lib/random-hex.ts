/** Random hex digits, many at once: random bytes and their text cost the same whether they are few or many. */
import { randomFillSync } from 'node:crypto';

const AT_ONCE = 256;

/** Each call returns the next digits; none are returned twice. */
export function openRandomHex(digits: number): () => string {
  const bytes = Buffer.alloc((digits * AT_ONCE) / 2);
  let text = '';
  let used = 0;
  return () => {
    if (used === text.length) {
      text = randomFillSync(bytes).toString('hex');
      used = 0;
    }
    used += digits;
    return text.slice(used - digits, used);
  };
}
