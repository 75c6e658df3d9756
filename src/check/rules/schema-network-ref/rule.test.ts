import { describe, expect, it } from 'vitest';
import { goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (schema: unknown): readonly string[] =>
  tryRule(rule, [goodTool({ inputSchema: schema })]).map(({ pointer }) => pointer);
const target = 'https://example.com/schema.json#/$defs/note';

describe('schema-network-ref', () => {
  it('finds references to addresses wherever a schema can stand', () => {
    const at = '/tools/0/inputSchema';
    expect(of({ $ref: target })).toEqual([`${at}/$ref`]);
    expect(of({ properties: { a: { items: { $ref: 'HTTP://x.test/' } } } })).toEqual([
      `${at}/properties/a/items/$ref`,
    ]);
    expect(of({ anyOf: [{}, { $dynamicRef: '//x.test/s' }] })).toEqual([
      `${at}/anyOf/1/$dynamicRef`,
    ]);
    expect(of({ $defs: { 'a/b': { $ref: target } } })).toEqual([`${at}/$defs/a~1b/$ref`]);
  });

  it('looks at the output schema as well', () => {
    const tool = goodTool({ outputSchema: { additionalProperties: { $ref: target } } });
    expect(tryRule(rule, [tool])[0]?.pointer).toBe(
      '/tools/0/outputSchema/additionalProperties/$ref',
    );
  });

  it('leaves references within the document alone', () => {
    expect(of({ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } })).toEqual([]);
    const $id = 'https://example.com/schema.json';
    expect(of({ $id, $defs: { note: {} }, properties: { a: { $ref: target } } })).toEqual([]);
  });

  it('does not take data or a property named $ref for a reference', () => {
    expect(of({ properties: { $ref: { type: 'string', default: target } } })).toEqual([]);
    expect(of({ const: { $ref: target }, examples: [{ $ref: target }] })).toEqual([]);
    expect(of({ $schema: 'https://json-schema.org/draft/2020-12/schema' })).toEqual([]);
  });
});
