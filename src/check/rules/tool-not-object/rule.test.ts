import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

describe('tool-not-object', () => {
  it.each([null, 'tool', 7, [], true])('finds %j', (raw) => {
    expect(codesOf(rule, [raw])).toEqual(['tool-not-object']);
  });

  it('leaves an object alone, even an empty one', () => {
    expect(codesOf(rule, [{}, goodTool()])).toEqual([]);
  });
});
