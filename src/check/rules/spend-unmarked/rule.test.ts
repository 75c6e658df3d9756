import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const bare = (name: string, more: Readonly<Record<string, unknown>> = {}): unknown =>
  goodTool({ name, title: undefined, description: undefined, annotations: undefined, ...more });

describe('spend-unmarked', () => {
  it.each(['charge_card', 'buy_credits', 'create_payment', 'transfer_money'])(
    'finds %s',
    (name) => {
      expect(codesOf(rule, [bare(name)])).toEqual(['spend-unmarked']);
    },
  );

  it('takes a hint or a mark for enough', () => {
    const tools = [
      bare('charge_card', { annotations: { destructiveHint: true } }),
      bare('charge_card', { _meta: { 'x-side-effect': 'external_spend' } }),
      bare('charge_card', { _meta: { 'anthropic/requiresUserInteraction': true } }),
    ];
    expect(codesOf(rule, tools)).toEqual([]);
  });

  it('does not take a tier that asks nobody for a mark', () => {
    const mild = { _meta: { 'x-side-effect': 'compute' } };
    expect(codesOf(rule, [bare('charge_card', mild)])).toHaveLength(1);
  });

  it('leaves a hint that says the opposite to the rules about hints', () => {
    const tools = [{ destructiveHint: false }, { readOnlyHint: true }];
    expect(
      codesOf(
        rule,
        tools.map((annotations) => bare('charge_card', { annotations })),
      ),
    ).toEqual([]);
  });

  it.each(['get_payment', 'list_orders', 'add_payment_method', 'run_report', 'batch_create_items'])(
    'leaves %s alone',
    (name) => {
      expect(codesOf(rule, [bare(name)])).toEqual([]);
    },
  );
});
