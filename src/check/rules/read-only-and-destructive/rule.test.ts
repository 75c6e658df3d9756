import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (readOnlyHint: unknown, destructiveHint: unknown): readonly string[] =>
  codesOf(rule, [goodTool({ annotations: { readOnlyHint, destructiveHint } })]);

describe('read-only-and-destructive', () => {
  it('finds both said true, and offers no fix', () => {
    const annotations = { readOnlyHint: true, destructiveHint: true };
    const [draft] = tryRule(rule, [goodTool({ annotations })]);
    expect(draft?.code).toBe('read-only-and-destructive');
    expect(draft?.fix).toBeUndefined();
  });

  it('leaves every other pair alone', () => {
    expect(of(true, false)).toEqual([]);
    expect(of(false, true)).toEqual([]);
    expect(of(true, undefined)).toEqual([]);
    expect(of('true', true)).toEqual([]);
  });
});
