import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureJson } from './measure-json.ts';

describe('measureJson', () => {
  it('counts what JSON would write, where nothing is escaped', () => {
    const text = fc.stringMatching(/^[a-z ]*$/);
    const value = fc.jsonValue({ stringUnit: fc.constantFrom('a', 'b', ' ') });
    fc.assert(
      fc.property(fc.dictionary(text, value), (object) => {
        const plain: unknown = JSON.parse(JSON.stringify(object));
        const written = JSON.stringify(plain);
        expect(measureJson(plain).characters).toBe(written.length);
      }),
    );
  });

  it('counts levels', () => {
    const depths = [1, {}, [], [{}], { a: [{ b: 1 }] }].map((value) => measureJson(value).depth);
    expect(depths).toEqual([0, 1, 1, 2, 3]);
  });
});
