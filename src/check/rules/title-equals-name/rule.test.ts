import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

describe('title-equals-name', () => {
  it('finds it in both places', () => {
    const tool = goodTool({ title: 'get_note', annotations: { title: ' get_note ' } });
    expect(tryRule(rule, [tool]).map(({ pointer }) => pointer)).toEqual([
      '/tools/0/title',
      '/tools/0/annotations/title',
    ]);
  });

  it('lets the same word stand in another case', () => {
    expect(codesOf(rule, [goodTool({ name: 'search', title: 'Search' })])).toEqual([]);
    expect(codesOf(rule, [goodTool(), { name: '', title: '' }])).toEqual([]);
  });
});
