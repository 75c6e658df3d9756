import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const taking = (name: string, ...parameters: readonly string[]): unknown =>
  goodTool({
    name,
    title: undefined,
    description: undefined,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' }])),
    },
  });

describe('spend-without-estimate', () => {
  it('finds a spend whose sum nobody knows', () => {
    expect(codesOf(rule, [taking('place_order', 'item')])).toEqual(['spend-without-estimate']);
  });

  it('is content with a tool that tells the price', () => {
    const tools = [taking('place_order', 'item'), taking('estimate_order', 'item')];
    expect(codesOf(rule, tools)).toEqual([]);
    const other = [taking('place_order', 'item'), taking('estimate_journey', 'to')];
    expect(codesOf(rule, other)).toHaveLength(1);
  });

  it('is content with an argument that states the sum, and with money that is owed', () => {
    const tools = [taking('charge_card', 'amount'), taking('refund_order', 'id')];
    expect(codesOf(rule, tools)).toEqual([]);
  });
});
