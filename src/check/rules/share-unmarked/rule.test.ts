import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const bare = (name: string, more: Readonly<Record<string, unknown>> = {}): unknown =>
  goodTool({ name, title: undefined, description: undefined, annotations: undefined, ...more });

describe('share-unmarked', () => {
  it.each(['share_document', 'send_email', 'invite_user', 'publish_post', 'create_share'])(
    'finds %s',
    (name) => {
      expect(codesOf(rule, [bare(name)])).toEqual(['share-unmarked']);
    },
  );

  it('takes what is said of the open world, or a mark, for enough', () => {
    const tools = [
      bare('send_email', { annotations: { openWorldHint: true, destructiveHint: false } }),
      bare('send_email', { annotations: { openWorldHint: false } }),
      bare('send_email', { annotations: { destructiveHint: true } }),
      bare('send_email', { _meta: { 'x-side-effect': 'share_export' } }),
    ];
    expect(codesOf(rule, tools)).toEqual([]);
  });

  it('goes by the name, not by a parameter that many tools have', () => {
    const inputSchema = { type: 'object', properties: { visibility: { type: 'string' } } };
    expect(codesOf(rule, [bare('create_event', { inputSchema }), bare('get_share')])).toEqual([]);
  });
});
