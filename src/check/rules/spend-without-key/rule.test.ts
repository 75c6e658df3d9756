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

describe('spend-without-key', () => {
  it('finds spends without a place for a key', () => {
    expect(codesOf(rule, [taking('charge_card', 'amount'), taking('refund_order', 'id')])).toEqual([
      'spend-without-key',
      'spend-without-key',
    ]);
  });

  it.each(['idempotency_key', 'idempotencyKey', 'client_token', 'client_order_id'])(
    'is content with %s',
    (key) => {
      expect(codesOf(rule, [taking('charge_card', 'amount', key)])).toEqual([]);
    },
  );

  it('leaves alone what spends nothing, or settles', () => {
    const tools = [taking('create_note'), taking('get_payment'), taking('update_subscription')];
    expect(codesOf(rule, tools)).toEqual([]);
  });
});
