import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (annotations: unknown): readonly string[] => codesOf(rule, [goodTool({ annotations })]);

describe('idempotent-missing', () => {
  it('finds the unset hint on what is no read', () => {
    expect(of({ readOnlyHint: false })).toEqual(['idempotent-missing']);
    expect(of({ destructiveHint: true })).toEqual(['idempotent-missing']);
  });

  it('is silent on reads, where it is said, and where nothing is', () => {
    expect(of({ readOnlyHint: true })).toEqual([]);
    expect(of({ readOnlyHint: false, idempotentHint: false })).toEqual([]);
    expect(of(undefined)).toEqual([]);
  });

  it('is off where a directory calls the hint optional', () => {
    expect(rule.profiles).toMatchObject({ 'openai-apps': 'off', 'anthropic-directory': 'off' });
  });
});
