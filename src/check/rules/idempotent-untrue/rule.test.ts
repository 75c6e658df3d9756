import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const claiming = (
  name: string,
  parameters: readonly string[] = ['text'],
  more: Readonly<Record<string, unknown>> = {},
): unknown =>
  goodTool({
    name,
    title: undefined,
    description: undefined,
    annotations: { idempotentHint: true },
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' }])),
      required: parameters,
    },
    ...more,
  });

describe('idempotent-untrue', () => {
  it.each([
    ['create_note', ['text'], 'idempotent-untrue'],
    ['append_line', ['text'], 'idempotent-untrue'],
    ['send_email', ['to'], 'idempotent-untrue'],
    ['toggle_light', ['id'], 'idempotent-untrue'],
    ['charge_card', ['amount'], 'idempotent-untrue/money'],
    ['execute_sql', ['sql'], 'idempotent-untrue/code'],
  ])('finds %s', (name, parameters, code) => {
    expect(codesOf(rule, [claiming(name, parameters)])).toEqual([code]);
  });

  it('believes a key or a version', () => {
    const keyed = claiming('charge_card', ['amount', 'idempotency_key']);
    const declared = claiming('create_note', ['text'], {
      _meta: { 'dev.plimsoll/effect': { repeat: { kind: 'key', need: 'required' } } },
    });
    expect(codesOf(rule, [keyed, declared])).toEqual([]);
  });

  it.each([
    ['create_directory', ['path']],
    ['create_or_update_note', ['text']],
    ['get_or_create_label', ['name']],
    ['create_item', ['id']],
    ['set_title', ['text']],
    ['delete_note', ['id']],
    ['get_note', ['id']],
    ['add', ['a', 'b']],
  ])('leaves %s alone', (name, parameters) => {
    expect(codesOf(rule, [claiming(name, parameters)])).toEqual([]);
  });

  it('believes a description that says what a second call does', () => {
    const description = 'Adds a note unless the same one already exists.';
    expect(codesOf(rule, [claiming('add_note', ['text'], { description })])).toEqual([]);
  });
});
