import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const needing = (name: string, scope: unknown): unknown =>
  goodTool({ name, _meta: { 'x-required-scope': scope } });

describe('scope-hidden', () => {
  it('tells once how many tools need which scopes', () => {
    const tools = [needing('a', 'notes:write notes:read'), needing('b', 'notes:read'), goodTool()];
    expect(tryRule(rule, tools)).toEqual([
      {
        code: 'scope-hidden',
        pointer: '/tools',
        message: '2 of 3 tools require a scope: notes:read, notes:write.',
      },
    ]);
  });

  it('finds what is no scope', () => {
    expect(codesOf(rule, [needing('a', ['notes:read'])])).toEqual(['scope-hidden/unreadable']);
    const drafts = tryRule(rule, [needing('a', 'notes:*')]);
    expect(drafts[0]).toMatchObject({ tool: 'a', pointer: '/tools/0/_meta/x-required-scope' });
  });

  it('says nothing where no tool needs one', () => {
    expect(codesOf(rule, [goodTool(), needing('a', '')])).toEqual([]);
  });
});
