import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureJson, walkSchema } from './tool-schema.ts';

const placesIn = (schema: unknown): readonly string[] =>
  walkSchema(schema, '')
    .map(({ pointer }) => pointer)
    .toSorted();

describe('walkSchema', () => {
  it('enters schemas and no data', () => {
    const schema = {
      properties: { a: {}, 'b/c': { items: { not: {} } } },
      anyOf: [{}, true],
      prefixItems: [{}],
      default: { properties: { no: {} } },
      enum: [{ items: {} }],
      additionalProperties: false,
    };
    expect(placesIn(schema)).toEqual([
      '',
      '/anyOf/0',
      '/prefixItems/0',
      '/properties/a',
      '/properties/b~1c',
      '/properties/b~1c/items',
      '/properties/b~1c/items/not',
    ]);
  });

  it('takes a property for a name and not for a keyword', () => {
    expect(placesIn({ properties: { properties: {}, items: {} } })).toEqual([
      '',
      '/properties/items',
      '/properties/properties',
    ]);
  });

  it('stops in what is too deep and is not stopped by what is no schema', () => {
    let deep: unknown = {};
    for (let level = 0; level < 50_000; level += 1) deep = { not: deep };
    expect(walkSchema(deep, '').length).toBeLessThan(100);
    expect(placesIn({ properties: 7, anyOf: 'x', items: null, $defs: [{}] })).toEqual(['']);
    expect(placesIn(undefined)).toEqual([]);
  });
});

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
