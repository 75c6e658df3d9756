import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const stating = (name: string, tier: unknown, annotations?: unknown): unknown =>
  goodTool({
    name,
    title: undefined,
    description: undefined,
    annotations,
    _meta: { 'x-side-effect': tier },
  });

describe('tier-meta-untrue', () => {
  it.each([
    ['get_note', 'write', undefined, 'unknown'],
    ['get_note', 5, undefined, 'unknown'],
    ['get_note', 'read', { readOnlyHint: false }, 'against-hint'],
    ['set_title', 'compute', { readOnlyHint: true }, 'against-hint'],
    ['get_note', 'read', { destructiveHint: true }, 'against-hint'],
    ['drop_table', 'destructive', { destructiveHint: false }, 'against-hint'],
    ['delete_note', 'compute', undefined, 'understated'],
    ['refund_order', 'read', undefined, 'understated'],
  ])('finds %s as %s', (name, tier, annotations, code) => {
    expect(codesOf(rule, [stating(name, tier, annotations)])).toEqual([`tier-meta-untrue/${code}`]);
  });

  it.each([
    ['get_note', 'read', { readOnlyHint: true }],
    ['delete_note', 'destructive', { destructiveHint: true }],
    ['charge_card', 'external_spend', { destructiveHint: false }],
    ['get_key', 'share_export', { readOnlyHint: false }],
    ['send_email', 'compute', undefined],
    ['list_notes', 'compute', undefined],
  ])('leaves %s as %s alone', (name, tier, annotations) => {
    expect(codesOf(rule, [stating(name, tier, annotations)])).toEqual([]);
  });

  it('finds nothing where no tier is stated', () => {
    expect(codesOf(rule, [goodTool({ name: 'delete_note' })])).toEqual([]);
  });
});
