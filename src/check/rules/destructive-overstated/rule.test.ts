import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const saying = (name: string, more: Readonly<Record<string, unknown>> = {}): unknown =>
  goodTool({
    name,
    title: undefined,
    description: undefined,
    annotations: { destructiveHint: true },
    ...more,
  });

describe('destructive-overstated', () => {
  it('finds reads and additions', () => {
    expect(codesOf(rule, [saying('get_note'), saying('create_note')])).toEqual([
      'destructive-overstated/read',
      'destructive-overstated/addition',
    ]);
  });

  it('leaves whatever may lose something alone', () => {
    const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
    const names = [
      'delete_note',
      'update_note',
      'create_or_update_note',
      'send_email',
      'open_page',
    ];
    const tools = [
      ...names.map((name) => saying(name)),
      saying('create_note', { inputSchema }),
      saying('get_note', { _meta: { 'x-side-effect': 'destructive' } }),
      goodTool(),
    ];
    expect(codesOf(rule, tools)).toEqual([]);
  });

  it('is off where a directory asks for the hint on every change', () => {
    expect(rule.profiles?.['anthropic-directory']).toBe('off');
  });
});
