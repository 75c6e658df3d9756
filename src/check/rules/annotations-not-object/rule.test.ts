import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

describe('annotations-not-object', () => {
  it.each([null, [], 'read-only', 1, true])('finds %j', (annotations) => {
    expect(codesOf(rule, [goodTool({ annotations })])).toEqual(['annotations-not-object']);
  });

  it('offers to leave out null and nothing else', () => {
    const fixOf = (annotations: unknown): unknown =>
      tryRule(rule, [goodTool({ annotations })])[0]?.fix;
    expect(fixOf(null)).toEqual({ kind: 'remove', pointer: '/tools/0/annotations' });
    expect(fixOf([])).toBeUndefined();
  });

  it('leaves objects and missing annotations alone', () => {
    const tools = [{}, undefined].map((annotations) => goodTool({ annotations }));
    expect(codesOf(rule, [goodTool(), ...tools])).toEqual([]);
  });
});
