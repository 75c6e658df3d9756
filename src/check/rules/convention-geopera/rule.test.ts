import { describe, expect, it } from 'vitest';
import { geopera } from '../../../effect/conventions/geopera.ts';
import { stampedTools } from '../../../../test/support/stamped-tools.ts';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (
  annotations: unknown,
  changes: Readonly<Record<string, unknown>> = {},
): readonly string[] => codesOf(rule, [goodTool({ annotations, ...changes })]);

describe('convention-geopera', () => {
  it('finds nothing in what the convention sends', () => {
    const tools = stampedTools(geopera);
    expect(tools.length).toBeGreaterThan(30);
    expect(tryRule(rule, tools)).toEqual([]);
  });

  it('holds in its own profile only', () => {
    const on = Object.entries(rule.profiles ?? {}).filter(([, said]) => said !== 'off');
    expect(on).toEqual([['geopera', 'warning']]);
    expect(Object.keys(rule.profiles ?? {})).toHaveLength(8);
  });

  it('leaves tools without any hint to annotations-missing', () => {
    expect([of(undefined), of({}), of(null), codesOf(rule, [null])]).toEqual([[], [], [], []]);
  });

  const row = {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  };

  it('finds a hint that the row of the tier does not have, and offers the right one', () => {
    const tool = goodTool({
      annotations: { ...row, destructiveHint: true },
      _meta: { 'x-side-effect': 'external_spend' },
    });
    expect(tryRule(rule, [tool])[0]).toMatchObject({
      code: 'convention-geopera/other-row',
      fix: { kind: 'set', pointer: '/tools/0/annotations/destructiveHint', value: false },
    });
  });

  it('finds a tier that is unset or none of the five, and unset hints', () => {
    expect(of(row)).toEqual(['convention-geopera/tier-unset']);
    expect(of(row, { _meta: { 'x-side-effect': 'write' } })).toEqual([
      'convention-geopera/tier-unset',
    ]);
    expect(of({ readOnlyHint: true }, { _meta: { 'x-side-effect': 'read' } })).toEqual([
      'convention-geopera/unset',
      'convention-geopera/unset',
      'convention-geopera/unset',
    ]);
  });

  it('wants the title on the tool', () => {
    const annotations = { ...row, title: 'Pay' };
    const _meta = { 'x-side-effect': 'external_spend' };
    expect(of(annotations, { title: undefined, _meta })).toEqual(['convention-geopera/title']);
  });
});
