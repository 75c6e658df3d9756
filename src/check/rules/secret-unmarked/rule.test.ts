import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const bare = (name: string, more: Readonly<Record<string, unknown>> = {}): unknown =>
  goodTool({ name, title: undefined, description: undefined, ...more });
const returning = (field: string): Readonly<Record<string, unknown>> => ({
  outputSchema: { type: 'object', properties: { [field]: { type: 'string' } } },
});

describe('secret-unmarked', () => {
  it.each(['create_api_key', 'rotateSecret', 'generate_access_token', 'reset_password'])(
    'finds %s by its name',
    (name) => {
      expect(codesOf(rule, [bare(name)])).toEqual(['secret-unmarked/made']);
    },
  );

  it('finds a secret in what is returned', () => {
    const [draft] = tryRule(rule, [bare('create_app', returning('client_secret'))]);
    expect(draft?.code).toBe('secret-unmarked/returned');
    expect(draft?.pointer).toBe('/tools/0/outputSchema/properties/client_secret');
    const description = 'Makes an app. Returns the new API key.';
    expect(codesOf(rule, [bare('create_app', { description })])).toHaveLength(1);
  });

  it('is content with a mark or with words', () => {
    const tools = [
      bare('create_api_key', { _meta: { 'x-side-effect': 'share_export' } }),
      bare('create_api_key', { _meta: { 'dev.plimsoll/effect': { secrets: ['key'] } } }),
      bare('create_api_key', { description: 'Makes a key. It is shown only once.' }),
      bare('create_api_key', { description: 'Makes a key that cannot be retrieved later.' }),
    ];
    expect(codesOf(rule, tools)).toEqual([]);
  });

  it('knows other tokens, and secrets that are given', () => {
    const given = { inputSchema: { type: 'object', properties: { value: { type: 'string' } } } };
    const coin = { inputSchema: { type: 'object', properties: { symbol: {}, decimals: {} } } };
    const tools = [
      bare('list_api_keys'),
      bare('create_page_token'),
      bare('list_notes', returning('next_page_token')),
      bare('create_secret', given),
      bare('create_token', coin),
    ];
    expect(codesOf(rule, tools)).toEqual([]);
  });
});
