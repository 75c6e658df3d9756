import { describe, expect, it } from 'vitest';
import { walkSchema } from './walk-schema.ts';

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
