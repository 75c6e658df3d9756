import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const saying = (name: string, more: Readonly<Record<string, unknown>> = {}): unknown =>
  goodTool({ name, title: undefined, annotations: { readOnlyHint: false }, ...more });

describe('read-only-understated', () => {
  it('finds plain reads', () => {
    expect(codesOf(rule, [saying('get_note'), saying('list_notes')])).toEqual([
      'read-only-understated',
      'read-only-understated',
    ]);
  });

  it('leaves writes, and whatever gives a reason, alone', () => {
    const inputSchema = { type: 'object', properties: { output_path: { type: 'string' } } };
    const tools = [
      saying('delete_note', { description: '' }),
      saying('select_page'),
      saying('get_note', { inputSchema }),
      saying('get_note', { annotations: { readOnlyHint: false, destructiveHint: true } }),
      saying('get_note', { _meta: { 'x-side-effect': 'compute' } }),
      goodTool(),
    ];
    expect(codesOf(rule, tools)).toEqual([]);
  });
});
