import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (tokens: number): readonly string[] =>
  codesOf(rule, [goodTool({ description: 'x'.repeat(4 * tokens) })]);

describe('list-growing', () => {
  it('finds lists between 5,000 and 10,000 tokens', () => {
    expect(of(5000)).toEqual(['list-growing']);
    expect(of(9000)).toEqual(['list-growing']);
  });

  it('leaves smaller ones alone, and larger ones to list-size', () => {
    expect(of(4500)).toEqual([]);
    expect(of(10_000)).toEqual([]);
  });
});
