import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { pinsOf } from '../../../../test/support/pins-of.ts';
import { rule } from './rule.ts';

const pins = pinsOf(goodTool());

describe('drift', () => {
  it('finds a tool that got riskier, and says how', () => {
    const annotations = { title: 'Get note', readOnlyHint: false };
    const [draft] = tryRule(rule, [goodTool({ annotations })], { pins });
    expect(draft?.code).toBe('drift');
    expect(draft?.message).toMatch(/readOnlyHint went from true to false/);
    expect(draft?.pointer).toBe('/tools/0/annotations/readOnlyHint');
  });

  it('finds a riskier tool under a new name', () => {
    const was = goodTool({ name: 'note', title: undefined });
    const now = goodTool({ name: 'delete_note', title: undefined });
    const drafts = codesOf(rule, [now], { pins: pinsOf(was) });
    expect(drafts).toEqual(['drift']);
  });

  it('says nothing of tools that are the same, milder or new, or without a lock', () => {
    const reworded = goodTool({ description: 'Gives one note.' });
    expect(codesOf(rule, [goodTool(), goodTool({ name: 'other' })], { pins })).toEqual([]);
    expect(codesOf(rule, [reworded], { pins })).toEqual([]);
    expect(codesOf(rule, [goodTool({ annotations: {} })])).toEqual([]);
  });
});
