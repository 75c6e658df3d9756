import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { pinsOf } from '../../../../test/support/pins-of.ts';
import { rule } from './rule.ts';

const pins = pinsOf(goodTool());

describe('drift-new', () => {
  it('finds a tool that nobody accepted', () => {
    const added = goodTool({ name: 'list_notes', description: 'Lists all.' });
    expect(tryRule(rule, [goodTool(), added], { pins })).toMatchObject([
      { code: 'drift-new', pointer: '/tools/1' },
    ]);
  });

  it('knows a tool under another name', () => {
    const drafts = tryRule(rule, [goodTool({ name: 'fetch_note' })], { pins });
    expect(drafts).toMatchObject([{ code: 'drift-new/renamed', pointer: '/tools/0/name' }]);
    expect(drafts[0]?.message).toMatch(/"get_note"/);
  });

  it('says nothing of tools in the lock, or without one', () => {
    expect(codesOf(rule, [goodTool({ description: 'Gives one.' })], { pins })).toEqual([]);
    expect(codesOf(rule, [goodTool()])).toEqual([]);
  });
});
