import { describe, expect, it } from 'vitest';
import { newKeyRecordId, toKeyHint, toKeyRecordId } from './key-record-id.ts';

const SCOPE = { tenant: 't', principal: 'p', operation: 'pay' };

describe('the id of a key record', () => {
  it('is the same for the same key of the same caller and operation, and for no other', () => {
    const id = toKeyRecordId(SCOPE, 'k');
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(toKeyRecordId({ ...SCOPE }, 'k')).toBe(id);
    const others = [
      toKeyRecordId(SCOPE, 'l'),
      ...(['tenant', 'principal', 'operation'] as const).map((part) =>
        toKeyRecordId({ ...SCOPE, [part]: 'x' }, 'k'),
      ),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
    expect(id).not.toContain(toKeyHint('k'));
  });

  it('is new and in the order of time for a call without a key', async () => {
    const earlier = newKeyRecordId();
    await new Promise((done) => setTimeout(done, 5));
    const later = Array.from({ length: 1000 }, newKeyRecordId);
    expect(new Set(later.map(({ id }) => id)).size).toBe(1000);
    expect(later.every(({ id }) => id > earlier.id)).toBe(true);
    expect(earlier.keyHint).toMatch(/^[0-9a-f]{8}$/);
    expect(earlier.id.endsWith(earlier.keyHint)).toBe(true);
  });
});
