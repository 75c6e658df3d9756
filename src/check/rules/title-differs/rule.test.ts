import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (title: unknown, noted: unknown): readonly string[] =>
  codesOf(rule, [goodTool({ title, annotations: { title: noted } })]);

describe('title-differs', () => {
  it('finds two titles and offers the one that goes first', () => {
    const [draft] = tryRule(rule, [
      goodTool({ title: 'Delete all', annotations: { title: 'Show\u202Eall' } }),
    ]);
    expect(draft?.fix).toEqual({
      kind: 'set',
      pointer: '/tools/0/annotations/title',
      value: 'Delete all',
    });
    expect(draft?.message).toContain('"Show⟨U+202E⟩all"');
  });

  it('is silent for one title, equal ones and what is no text', () => {
    expect(of('Get note', 'Get note')).toEqual([]);
    expect(of('Get note', undefined)).toEqual([]);
    expect(of(undefined, 'Get note')).toEqual([]);
    expect(of('Get note', 7)).toEqual([]);
  });
});
