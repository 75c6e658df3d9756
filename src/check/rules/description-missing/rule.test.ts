import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (description: unknown): readonly string[] => codesOf(rule, [goodTool({ description })]);

describe('description-missing', () => {
  it('finds none, blank ones and what is no text', () => {
    expect(of(undefined)).toEqual(['description-missing']);
    expect(of(' \n')).toEqual(['description-missing']);
    expect(of(7)).toEqual(['description-missing/not-string']);
    expect(of(['a'])).toEqual(['description-missing/not-string']);
  });

  it('offers to leave out null', () => {
    expect(tryRule(rule, [goodTool({ description: null })])[0]?.fix).toEqual({
      kind: 'remove',
      pointer: '/tools/0/description',
    });
  });

  it('leaves any text alone', () => {
    expect(codesOf(rule, [goodTool(), null])).toEqual([]);
  });
});
