import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const saying = (name: string, annotations: unknown): unknown =>
  goodTool({ name, title: undefined, description: undefined, annotations });

describe('hint-missing', () => {
  it('finds each of the two hints, and what hosts then assume', () => {
    const drafts = tryRule(rule, [saying('update_note', { openWorldHint: false })]);
    expect(drafts.map(({ code }) => code)).toEqual([
      'hint-missing/read-only',
      'hint-missing/destructive',
    ]);
    expect(drafts[0]?.message).toMatch(/ChatGPT.*VS Code.*Codex.*Cursor/);
    expect(drafts[1]?.message).toMatch(/Claude Desktop and Claude Code assume false/);
    expect(drafts[1]?.pointer).toBe('/tools/0/annotations/destructiveHint');
  });

  it('needs no destructiveHint on a read', () => {
    expect(codesOf(rule, [saying('get_note', { readOnlyHint: true })])).toEqual([]);
  });

  it('offers a value only where the words leave no doubt', () => {
    const fixesOf = (name: string): readonly unknown[] =>
      tryRule(rule, [saying(name, { openWorldHint: false })]).map(({ fix }) =>
        fix?.kind === 'set' ? fix.value : undefined,
      );
    expect(fixesOf('get_note')).toEqual([true, false]);
    expect(fixesOf('delete_note')).toEqual([false, true]);
    expect(fixesOf('update_note')).toEqual([false, undefined]);
    expect(fixesOf('process')).toEqual([undefined, undefined]);
  });

  it('leaves tools that say nothing at all to annotations-missing', () => {
    const none = [undefined, {}, null, { title: 'x' }];
    expect(
      codesOf(
        rule,
        none.map((annotations) => goodTool({ annotations })),
      ),
    ).toEqual([]);
  });

  it('does not call a hint missing that is said wrongly', () => {
    const annotations = { readOnlyHint: 'false', destructiveHint: null };
    expect(codesOf(rule, [goodTool({ annotations })])).toEqual([]);
  });
});
