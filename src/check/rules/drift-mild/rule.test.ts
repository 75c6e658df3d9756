import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { pinsOf } from '../../../../test/support/pins-of.ts';
import { rule } from './rule.ts';

const pins = pinsOf(goodTool());

describe('drift-mild', () => {
  it('tells of changes that make nothing worse', () => {
    const reworded = goodTool({ description: 'Gives one note.' });
    expect(codesOf(rule, [reworded], { pins })).toEqual(['drift-mild/neutral']);
    const was = pinsOf(goodTool({ annotations: { title: 'Get note' } }));
    expect(codesOf(rule, [goodTool()], { pins: was })).toEqual(['drift-mild/safer']);
  });

  it('tells of a tool that is gone, unless it was renamed', () => {
    const drafts = tryRule(rule, [], { pins });
    expect(drafts).toMatchObject([{ code: 'drift-mild/gone', tool: 'get_note' }]);
    expect(codesOf(rule, [goodTool({ name: 'fetch_note' })], { pins })).toEqual([]);
  });

  it('says nothing of what got riskier or stayed the same, or without a lock', () => {
    expect(codesOf(rule, [goodTool({ annotations: {} })], { pins })).toEqual([]);
    expect(codesOf(rule, [goodTool()], { pins })).toEqual([]);
    expect(codesOf(rule, [])).toEqual([]);
  });
});
