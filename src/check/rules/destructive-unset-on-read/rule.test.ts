import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (annotations: unknown): readonly string[] => codesOf(rule, [goodTool({ annotations })]);

describe('destructive-unset-on-read', () => {
  it('finds a read without the hint and offers false', () => {
    const [draft] = tryRule(rule, [goodTool({ annotations: { readOnlyHint: true } })]);
    expect(draft?.code).toBe('destructive-unset-on-read');
    expect(draft?.fix).toEqual({
      kind: 'set',
      pointer: '/tools/0/annotations/destructiveHint',
      value: false,
    });
  });

  it('is silent on writes and where it is said', () => {
    expect(of({ readOnlyHint: false })).toEqual([]);
    expect(of({ readOnlyHint: true, destructiveHint: false })).toEqual([]);
    expect(of(undefined)).toEqual([]);
  });

  it('is off by the specification and stops an OpenAI submission', () => {
    expect(rule.profiles).toMatchObject({ spec: 'off', 'openai-apps': 'error' });
  });
});
