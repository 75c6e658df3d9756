import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const claiming = (name: string, more: Readonly<Record<string, unknown>> = {}): unknown =>
  goodTool({
    name,
    title: undefined,
    description: undefined,
    annotations: { openWorldHint: false },
    ...more,
  });
const needing = (name: string): Readonly<Record<string, unknown>> => ({
  inputSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
});

describe('open-world-untrue', () => {
  it.each([
    ['send_email', {}, 'sends'],
    ['sendMessage', {}, 'sends'],
    ['fetch_page', needing('url'), 'fetches'],
    ['download_file', needing('url'), 'fetches'],
    ['search_web', {}, 'public'],
    ['search', { description: 'Search the web for a phrase.' }, 'public'],
  ])('finds %s', (name, more, code) => {
    expect(codesOf(rule, [claiming(name, more)])).toEqual([`open-world-untrue/${code}`]);
  });

  it.each([
    ['get_note', {}],
    ['search_notes', {}],
    ['draft_email', {}],
    ['post_page', {}],
    ['create_bookmark', needing('url')],
    ['list_items', needing('url')],
    ['delete_note', {}],
  ])('leaves %s alone', (name, more) => {
    expect(codesOf(rule, [claiming(name, more)])).toEqual([]);
  });

  it('finds nothing where the hint is true or unset', () => {
    const saying = (annotations: unknown): unknown => claiming('search_web', { annotations });
    expect(codesOf(rule, [saying({ openWorldHint: true }), saying({})])).toEqual([]);
  });
});
