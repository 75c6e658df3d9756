import { describe, expect, it } from 'vitest';
import { codesOf, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const named = (...names: readonly string[]): readonly unknown[] => names.map((name) => ({ name }));

describe('name-duplicate', () => {
  it('finds the second and the third of a name', () => {
    const drafts = tryRule(rule, named('a', 'b', 'a', 'a'));
    expect(drafts.map(({ pointer }) => pointer)).toEqual(['/tools/2/name', '/tools/3/name']);
    expect(drafts[0]).toMatchObject({ code: 'name-duplicate', tool: 'a' });
    expect(drafts[0]?.message).toContain('/tools/0');
  });

  it('tells names apart that differ in case only', () => {
    expect(codesOf(rule, named('getNote', 'GetNote', 'GetNote'))).toEqual([
      'name-duplicate/case',
      'name-duplicate',
    ]);
  });

  it('is not misled by names like those of members of objects', () => {
    expect(codesOf(rule, named('constructor', '__proto__', '=a', 'a'))).toEqual([]);
  });

  it('leaves different names and nameless tools alone', () => {
    expect(codesOf(rule, [...named('get_note', 'get_notes'), {}, {}, null])).toEqual([]);
  });
});
