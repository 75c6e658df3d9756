import { describe, expect, it } from 'vitest';
import { tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const described = (name: string, description: unknown): unknown => ({ name, description });

describe('description-duplicate', () => {
  it('finds the later of two equal ones, but for case and spaces', () => {
    const drafts = tryRule(rule, [
      described('get_note', 'Works with notes.'),
      described('get_page', 'Works with pages.'),
      described('delete_note', 'works  with\nNOTES. '),
    ]);
    expect(drafts).toHaveLength(1);
    expect(drafts[0]).toMatchObject({ tool: 'delete_note', pointer: '/tools/2/description' });
    expect(drafts[0]?.message).toContain('"get_note"');
  });

  it('leaves missing descriptions and a tool listed twice to other rules', () => {
    const twice = described('get_note', 'Gives a note.');
    const tools = [twice, twice, described('a', ''), described('b', ''), described('c', 7), null];
    expect(tryRule(rule, tools)).toEqual([]);
  });
});
