import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const saying = (name: string, parameters: readonly string[] = ['id']): unknown =>
  goodTool({
    name,
    title: undefined,
    description: undefined,
    annotations: { idempotentHint: false },
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' }])),
    },
  });

describe('idempotent-understated', () => {
  it('finds what leaves the same state', () => {
    const tools = [saying('set_title'), saying('delete_note'), saying('update_note')];
    expect(codesOf(rule, tools)).toHaveLength(3);
  });

  it('leaves alone what may do more the second time', () => {
    const tools = [
      saying('create_note'),
      saying('delete_line', ['index']),
      saying('delete_last_message'),
      saying('edit_file', ['edits']),
      saying('update_note', ['id', 'if_match']),
      saying('send_email'),
      saying('get_note'),
    ];
    expect(codesOf(rule, tools)).toEqual([]);
  });
});
