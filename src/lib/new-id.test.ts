import { describe, expect, it } from 'vitest';
import { newId } from './new-id.ts';

describe('newId', () => {
  it('is a UUID of version 7 that begins with the time', () => {
    const id = newId(0x0123_4567_89ab);
    expect(id).toMatch(/^01234567-89ab-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('is another one every time, and sorts by time', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => newId(1_700_000_000_000 + index));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(Array.from({ length: 5000 }, () => newId(1))).size).toBe(5000);
  });
});
