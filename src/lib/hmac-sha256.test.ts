import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openHmac } from './hmac-sha256.ts';

describe('openHmac', () => {
  it('gives what Node gives, for any key and any text', () => {
    const key = fc.uint8Array({ minLength: 1, maxLength: 100 });
    const text = fc.string({ unit: 'binary', maxLength: 3000 });
    fc.assert(
      fc.property(key, fc.array(text, { maxLength: 4 }), (bytes, texts) => {
        const hmac = openHmac(bytes);
        for (const each of texts) {
          expect(hmac(each)).toBe(createHmac('sha256', bytes).update(each).digest('hex'));
        }
      }),
    );
  });
});
