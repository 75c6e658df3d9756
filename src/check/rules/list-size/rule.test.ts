import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const heavy = (name: string, tokens: number): unknown =>
  goodTool({ name, description: 'x'.repeat(4 * tokens) });

describe('list-size', () => {
  it('finds a list beyond 10,000 tokens and names the largest tools', () => {
    const tools = [heavy('a', 4000), heavy('b', 1000), heavy('c', 5000), heavy('d', 10)];
    const drafts = tryRule(rule, tools);
    expect(drafts).toHaveLength(1);
    expect(drafts[0]?.pointer).toBe('/tools');
    expect(drafts[0]?.message).toMatch(/"c" \(\d+\), "a" \(\d+\), "b" \(\d+\)\.$/);
  });

  it('counts only what the model is given', () => {
    const outputSchema = { description: 'x'.repeat(50_000) };
    expect(codesOf(rule, [goodTool({ outputSchema }), heavy('a', 9000)])).toEqual([]);
  });

  it('leaves small, empty and broken lists alone', () => {
    expect(codesOf(rule, [])).toEqual([]);
    expect(codesOf(rule, [goodTool(), null, 7])).toEqual([]);
  });
});
