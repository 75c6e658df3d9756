import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (length: number): readonly string[] =>
  codesOf(rule, [goodTool({ name: 'x'.repeat(length) })]);

describe('name-long', () => {
  it('finds 65 to 128 characters', () => {
    expect([of(65), of(128)]).toEqual([['name-long'], ['name-long']]);
  });

  it('leaves 64 alone, and what no one allows to name-invalid', () => {
    expect([of(64), of(129), of(0)]).toEqual([[], [], []]);
  });
});
