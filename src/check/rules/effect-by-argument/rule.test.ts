import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const taking = (name: string, properties: unknown, more: object = {}): unknown =>
  goodTool({
    name,
    title: undefined,
    description: undefined,
    annotations: undefined,
    inputSchema: { type: 'object', properties },
    ...more,
  });
const ACTION = { action: { type: 'string', enum: ['get', 'list', 'delete', 'purge'] } };

describe('effect-by-argument', () => {
  it('says which values are graver', () => {
    const [draft] = tryRule(rule, [taking('manage_notes', ACTION)]);
    expect(draft).toMatchObject({
      code: 'effect-by-argument/choice',
      pointer: '/tools/0/inputSchema/properties/action',
    });
    expect(draft?.message).toMatch(/"delete", "purge" are graver/);
    expect(draft?.message).not.toMatch(/"get"/);
  });

  it('finds a switch that the hints leave out', () => {
    const overwrite = { overwrite: { type: 'boolean' } };
    expect(codesOf(rule, [taking('create_note', overwrite)])).toEqual([
      'effect-by-argument/switch',
    ]);
    const annotations = { destructiveHint: true };
    expect(codesOf(rule, [taking('create_note', overwrite, { annotations })])).toEqual([]);
  });

  it('leaves choices of one kind alone', () => {
    const format = { format: { type: 'string', enum: ['json', 'text'] } };
    const grave = { action: { type: 'string', enum: ['delete', 'purge'] } };
    const tools = [taking('get_note', format), taking('manage_notes', grave), taking('x', 7)];
    expect(codesOf(rule, tools)).toEqual([]);
  });
});
