import { describe, expect, it } from 'vitest';
import { epd } from '../../../effect/conventions/epd.ts';
import { stampedTools } from '../../../../test/support/stamped-tools.ts';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (
  annotations: unknown,
  changes: Readonly<Record<string, unknown>> = {},
): readonly string[] => codesOf(rule, [goodTool({ annotations, ...changes })]);

describe('convention-epd', () => {
  it('finds nothing in what the convention sends', () => {
    const tools = stampedTools(epd);
    expect(tools.length).toBeGreaterThan(30);
    expect(tryRule(rule, tools)).toEqual([]);
  });

  it('holds in its own profile only', () => {
    const on = Object.entries(rule.profiles ?? {}).filter(([, said]) => said !== 'off');
    expect(on).toEqual([['epd', 'warning']]);
    expect(Object.keys(rule.profiles ?? {})).toHaveLength(8);
  });

  it('leaves tools without any hint to annotations-missing', () => {
    expect([of(undefined), of({}), of(null), codesOf(rule, [null])]).toEqual([[], [], [], []]);
  });

  it('finds unset hints and a read that cannot be repeated', () => {
    const title = 'Get note';
    expect(of({ title, readOnlyHint: true, idempotentHint: false })).toEqual([
      'convention-epd/unset',
      'convention-epd/unset',
      'convention-epd/read-not-repeatable',
    ]);
  });

  it('wants the title in both places', () => {
    const { annotations } = goodTool() as { annotations: object };
    expect(of({ ...annotations, title: undefined })).toEqual(['convention-epd/title']);
  });
});
