import { describe, expect, it } from 'vitest';
import { SchemaBundle } from './schema-bundle.ts';
import { toSchema } from './to-input.ts';

function convert(schema: unknown, root: unknown = {}, direction: 'input' | 'output' = 'input') {
  const bundle = new SchemaBundle(direction);
  return bundle.close(bundle.add({ value: schema, root }));
}

describe('SchemaBundle', () => {
  it.each([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      { allOf: [{ type: 'object' }], nullable: true, description: 'D' },
      { anyOf: [{ allOf: [{ type: 'object' }] }, { type: 'null' }], description: 'D' },
    ],
    [
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      { type: 'number', maximum: 9, exclusiveMaximum: false },
      { type: 'number', maximum: 9 },
    ],
    [
      { type: 'string', example: 'x' },
      { type: 'string', examples: ['x'] },
    ],
    [{ discriminator: { propertyName: 'k' }, oneOf: [true, false] }, { oneOf: [{}, { not: {} }] }],
  ])('writes %j as JSON Schema 2020-12', (before, after) => {
    expect(convert(before)).toEqual(after);
  });

  it('leaves out what JSON Schema does not know, and patterns that cannot be compiled', () => {
    const odd = {
      type: 'money',
      required: true,
      enum: 'a',
      pattern: '\\_(',
      minimum: Number.NaN,
      items: [{ type: 'string' }],
      xml: { name: 'x' },
      patternProperties: { '(': {}, '^x-': { type: 'string' } },
      description: 'Kept',
    };
    expect(convert(odd)).toEqual({
      patternProperties: { '^x-': { type: 'string' } },
      description: 'Kept',
    });
  });

  it('puts what is referred to into $defs, once, under names of its own', () => {
    const root = {
      components: { schemas: { Pet: { type: 'object' }, 'a/b': { type: 'string' } } },
      other: { Pet: { type: 'integer' } },
    };
    const ref = (path: string) => ({ $ref: path });
    const schema = {
      prefixItems: [
        ref('#/components/schemas/Pet'),
        ref('#/other/Pet'),
        ref('#/components/schemas/a~1b'),
        ref('#/components/schemas/Pet'),
      ],
    };
    expect(convert(schema, root)).toEqual({
      prefixItems: [
        ref('#/$defs/Pet'),
        ref('#/$defs/Pet_2'),
        ref('#/$defs/a_1b'),
        ref('#/$defs/Pet'),
      ],
      $defs: { Pet: { type: 'object' }, Pet_2: { type: 'integer' }, a_1b: { type: 'string' } },
    });
  });

  it('begins references at the schema that has an $id', () => {
    const tree = {
      $id: 'urn:tree',
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      $defs: { node: { type: 'object', properties: { up: { $ref: '#' } } } },
    };
    const bundle = new SchemaBundle('output');
    const schema = bundle.close(bundle.add({ value: tree, root: tree }));
    const check = toSchema(schema)['~standard'].validate;
    expect(check({ children: [{ up: { children: [] } }] })).toHaveProperty('value');
    expect(check({ children: [{ up: { children: 7 } }] })).toHaveProperty('issues');
  });

  it('keeps schemas that refer to themselves finite, and still checks by them', () => {
    const root = {
      Tree: {
        type: 'object',
        properties: { name: { type: 'string' }, child: { $ref: '#/Tree' } },
        additionalProperties: false,
      },
    };
    const check = toSchema(convert({ $ref: '#/Tree' }, root))['~standard'].validate;
    expect(check({ child: { child: { name: 'a' } } })).toHaveProperty('value');
    expect(check({ child: { child: { name: 1 } } })).toHaveProperty('issues');
  });

  it('leaves out write-only fields of what is answered', () => {
    const user = {
      type: 'object',
      required: ['name', 'password'],
      properties: { name: { type: 'string' }, password: { $ref: '#/Password' } },
    };
    const root = { Password: { type: 'string', writeOnly: true } };
    expect(convert(user, root, 'output')).toEqual({
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' } },
    });
  });

  it('does not change or keep the document', () => {
    const document = Object.freeze({ type: 'object', properties: Object.freeze({ a: true }) });
    expect(() => toSchema(convert(document))).not.toThrow();
  });
});

describe('toSchema', () => {
  it('has issues with what cannot be checked at all, and throws at nothing', () => {
    const check = toSchema(convert({ $ref: '#/L' }, { L: { items: { $ref: '#/L' } } }));
    let deep: unknown = [];
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(check['~standard'].validate(deep)).toHaveProperty('issues');
    expect(check['~standard'].validate(undefined)).toHaveProperty('issues');
  });
});
