import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from './sha256.ts';

describe('sha256', () => {
  it('is the digest that Node computes, of texts and of bytes', () => {
    const data = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array());
    fc.assert(
      fc.property(data, (given) => {
        expect(sha256(given).equals(createHash('sha256').update(given).digest())).toBe(true);
      }),
    );
  });
});
