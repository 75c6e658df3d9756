import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (inputSchema: unknown): readonly string[] => codesOf(rule, [goodTool({ inputSchema })]);

describe('schema-root', () => {
  it('finds what is no schema of an object', () => {
    expect(of(undefined)).toEqual(['schema-root/missing']);
    for (const inputSchema of [true, false, null, [], 'object'])
      expect(of(inputSchema)).toEqual(['schema-root/not-schema']);
    expect(of({ type: 'array' })).toEqual(['schema-root/other-type']);
    expect(of({ type: ['object', 'null'] })).toEqual(['schema-root/other-type']);
  });

  it.each(['anyOf', 'oneOf', 'allOf'])('finds %s at a root without type', (key) => {
    expect(of({ [key]: [{ type: 'object' }] })).toEqual(['schema-root/combinator']);
    expect(of({ type: 'object', [key]: [] })).toEqual([]);
  });

  it('offers the type where nothing else is missing', () => {
    const [draft] = tryRule(rule, [goodTool({ inputSchema: { properties: {} } })]);
    expect(draft).toMatchObject({
      code: 'schema-root/no-type',
      fix: { kind: 'set', pointer: '/tools/0/inputSchema/type', value: 'object' },
    });
  });

  it('leaves an object schema alone, with or without properties', () => {
    expect(codesOf(rule, [goodTool(), goodTool({ inputSchema: { type: 'object' } }), 7])).toEqual(
      [],
    );
  });
});
