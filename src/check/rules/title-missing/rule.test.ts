import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (title: unknown, noted: unknown): readonly string[] =>
  codesOf(rule, [goodTool({ title, annotations: { title: noted } })]);

describe('title-missing', () => {
  it('finds a tool without any title, and with blank ones', () => {
    expect(of(undefined, undefined)).toEqual(['title-missing']);
    expect(of('', '  ')).toEqual(['title-missing']);
    expect(codesOf(rule, [{ name: 'x' }])).toEqual(['title-missing']);
  });

  it('is content with a title in either place', () => {
    expect(of('Get note', undefined)).toEqual([]);
    expect(of(undefined, 'Get note')).toEqual([]);
  });

  it('leaves titles that are no text to their own rule', () => {
    expect(of(7, undefined)).toEqual([]);
  });
});
