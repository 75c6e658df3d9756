import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (annotations: unknown): readonly string[] => codesOf(rule, [goodTool({ annotations })]);

describe('hint-without-meaning', () => {
  it('finds idempotent said true on a read while another hint is unset', () => {
    expect(of({ readOnlyHint: true, idempotentHint: true })).toEqual(['hint-without-meaning']);
  });

  it('lets a server say all four', () => {
    expect(codesOf(rule, [goodTool()])).toEqual([]);
  });

  it('finds no false, and nothing on what is no read', () => {
    expect(of({ readOnlyHint: true, idempotentHint: false })).toEqual([]);
    expect(of({ readOnlyHint: true, destructiveHint: false })).toEqual([]);
    expect(of({ readOnlyHint: false, idempotentHint: true })).toEqual([]);
    expect(of({ idempotentHint: true })).toEqual([]);
  });

  it('is off where explicit values are wanted', () => {
    expect(rule.profiles).toMatchObject({ 'openai-apps': 'off', 'anthropic-directory': 'off' });
  });
});
