import { describe, expect, it } from 'vitest';
import { closient } from '../../../effect/conventions/closient.ts';
import { stampedTools } from '../../../../test/support/stamped-tools.ts';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (
  annotations: unknown,
  changes: Readonly<Record<string, unknown>> = {},
): readonly string[] => codesOf(rule, [goodTool({ annotations, ...changes })]);

describe('convention-closient', () => {
  it('finds nothing in what the convention sends', () => {
    const tools = stampedTools(closient);
    expect(tools.length).toBeGreaterThan(30);
    expect(tryRule(rule, tools)).toEqual([]);
  });

  it('holds in its own profile only', () => {
    const on = Object.entries(rule.profiles ?? {}).filter(([, said]) => said !== 'off');
    expect(on).toEqual([['closient', 'warning']]);
    expect(Object.keys(rule.profiles ?? {})).toHaveLength(8);
  });

  it('leaves tools without any hint to annotations-missing', () => {
    expect([of(undefined), of({}), of(null), codesOf(rule, [null])]).toEqual([[], [], [], []]);
  });

  it('finds what the convention always says and what it leaves out', () => {
    const title = 'Get note';
    expect(of({ title, idempotentHint: true })).toEqual([
      'convention-closient/unset',
      'convention-closient/unset',
    ]);
    const [draft] = tryRule(rule, [
      goodTool({
        annotations: { title, readOnlyHint: false, openWorldHint: false, destructiveHint: false },
      }),
    ]);
    expect(draft).toMatchObject({
      code: 'convention-closient/false-said',
      fix: { kind: 'remove' },
    });
  });

  it('wants the title in both places', () => {
    const hints = { readOnlyHint: true, openWorldHint: false };
    expect(of(hints)).toEqual(['convention-closient/title']);
    expect(of({ ...hints, title: 'Get note' }, { title: undefined })).toEqual([
      'convention-closient/title',
    ]);
  });
});
