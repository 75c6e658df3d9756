import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

describe('title-not-string', () => {
  it.each([null, 7, false, [], {}])('finds %j in both places', (title) => {
    const tool = goodTool({ title, annotations: { title } });
    expect(codesOf(rule, [tool])).toEqual(['title-not-string', 'title-not-string']);
  });

  it('offers to leave out null', () => {
    const [draft] = tryRule(rule, [goodTool({ title: null })]);
    expect(draft?.fix).toEqual({ kind: 'remove', pointer: '/tools/0/title' });
    expect(tryRule(rule, [goodTool({ title: 7 })])[0]?.fix).toBeUndefined();
  });

  it('leaves text and missing titles alone', () => {
    expect(codesOf(rule, [goodTool(), {}, null])).toEqual([]);
  });
});
