import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (inputSchema: unknown): readonly string[] => codesOf(rule, [goodTool({ inputSchema })]);

function nested(levels: number): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < levels; level += 1)
    schema = { type: 'object', properties: { inner: schema } };
  return schema;
}

function wide(count: number): unknown {
  const names = Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }] as const);
  return { type: 'object', properties: Object.fromEntries(names) };
}

describe('schema-deep-or-large', () => {
  it('finds a schema that is too deep, and no other', () => {
    expect(of(nested(8))).toEqual(['schema-deep-or-large/deep']);
    expect(of(nested(7))).toEqual([]);
  });

  it('finds a schema that is too large', () => {
    const description = 'x'.repeat(16_000);
    expect(of({ type: 'object', description })).toEqual(['schema-deep-or-large/large']);
    expect(of({ type: 'object', description: 'x'.repeat(15_000) })).toEqual([]);
  });

  it('finds too many parameters', () => {
    expect(of(wide(61))).toEqual(['schema-deep-or-large/many']);
    expect(of(wide(60))).toEqual([]);
  });

  it('measures what no recursion could', () => {
    expect(of(nested(100_000))).toContain('schema-deep-or-large/deep');
  });

  it('leaves usual schemas and what is none alone', () => {
    expect(codesOf(rule, [goodTool(), {}, null, goodTool({ inputSchema: true })])).toEqual([]);
  });
});
