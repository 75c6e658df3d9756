import { describe, expect, it } from 'vitest';
import { codesOf, goodTool, tryRule } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (properties: unknown, changes: Readonly<Record<string, unknown>> = {}): number =>
  codesOf(rule, [goodTool({ inputSchema: { type: 'object', properties }, ...changes })]).length;

describe('parameter-undescribed', () => {
  it('finds each parameter without a description', () => {
    const properties = { id: { type: 'string' }, 'a/b': { description: ' ' }, c: true, d: 7 };
    const tool = goodTool({ inputSchema: { type: 'object', properties } });
    expect(tryRule(rule, [tool]).map(({ pointer }) => pointer)).toEqual([
      '/tools/0/inputSchema/properties/id/description',
      '/tools/0/inputSchema/properties/a~1b/description',
      '/tools/0/inputSchema/properties/c/description',
      '/tools/0/inputSchema/properties/d/description',
    ]);
  });

  it('takes a description from alternatives, items and references', () => {
    const described = { type: 'string', description: 'The number of the note.' };
    expect(of({ id: { anyOf: [described, { type: 'null' }] } })).toBe(0);
    expect(of({ ids: { type: 'array', items: described } })).toBe(0);
    const inputSchema = {
      type: 'object',
      properties: { id: { $ref: '#/$defs/id' }, other: { $ref: '#/$defs/none' } },
      $defs: { id: described },
    };
    expect(codesOf(rule, [goodTool({ inputSchema })])).toEqual(['parameter-undescribed']);
  });

  it.each([
    'Gives a note.\n\nArgs:\n    id: its number',
    'Gives the note with the `id`.',
    'Takes id (its number).',
    '- id - its number',
  ])('takes a description from the text of the tool: %j', (description) => {
    expect(of({ id: { type: 'string' } }, { description })).toBe(0);
  });

  it('does not take any mention for a description', () => {
    expect(of({ id: {} }, { description: 'Gives an idea: the uuid: of a note by id' })).toBe(1);
    expect(of({ '': {} }, { description: 'x' })).toBe(1);
  });

  it('needs none for a constant, and none in a good tool', () => {
    expect(of({ kind: { const: 'note' } })).toBe(0);
    expect(codesOf(rule, [goodTool(), {}, { inputSchema: { properties: [] } }])).toEqual([]);
  });
});
