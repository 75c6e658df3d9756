import { describe, expect, it } from 'vitest';
import { nextcloud } from '../../../effect/conventions/nextcloud.ts';
import { stampedTools } from '../../../../test/support/stamped-tools.ts';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (
  annotations: unknown,
  changes: Readonly<Record<string, unknown>> = {},
): readonly string[] => codesOf(rule, [goodTool({ annotations, ...changes })]);

describe('convention-nextcloud', () => {
  it('finds nothing in what the convention sends', () => {
    const tools = stampedTools(nextcloud);
    expect(tools.length).toBeGreaterThan(30);
    expect(tryRule(rule, tools)).toEqual([]);
  });

  it('holds in its own profile only', () => {
    const on = Object.entries(rule.profiles ?? {}).filter(([, said]) => said !== 'off');
    expect(on).toEqual([['nextcloud', 'warning']]);
    expect(Object.keys(rule.profiles ?? {})).toHaveLength(8);
  });

  it('leaves tools without any hint to annotations-missing', () => {
    expect([of(undefined), of({}), of(null), codesOf(rule, [null])]).toEqual([[], [], [], []]);
  });

  it('finds what a read leaves out and what the rest says', () => {
    expect(of({ readOnlyHint: true, idempotentHint: true, openWorldHint: true })).toEqual([
      'convention-nextcloud/said-on-read',
    ]);
    expect(of({ destructiveHint: true })).toEqual([
      'convention-nextcloud/unset',
      'convention-nextcloud/unset',
    ]);
    expect(of({ destructiveHint: false, idempotentHint: false, openWorldHint: true })).toEqual([
      'convention-nextcloud/false-said',
    ]);
  });

  it('wants the title on the tool', () => {
    const annotations = { title: 'Get note', readOnlyHint: true, openWorldHint: true };
    const [draft] = tryRule(rule, [goodTool({ annotations, title: undefined })]);
    expect(draft).toMatchObject({
      code: 'convention-nextcloud/title',
      fix: { kind: 'set', pointer: '/tools/0/title', value: 'Get note' },
    });
  });
});
