import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (name: string, description: string): readonly string[] => {
  const properties = { [name]: { type: 'string', description } };
  return codesOf(rule, [goodTool({ inputSchema: { type: 'object', properties } })]);
};

describe('parameter-vague', () => {
  it.each([
    ['note_id', 'note id'],
    ['noteId', 'The note ID.'],
    ['query', 'Query string'],
    ['data', 'data'],
  ])('finds %s described as %j', (name, description) => {
    expect(of(name, description)).toEqual(['parameter-vague/repeats-name']);
  });

  it.each(['The value', 'string', 'A string value (optional)', 'TODO', 'n/a'])(
    'finds the empty %j',
    (description) => {
      expect(of('color', description)).toEqual(['parameter-vague/says-nothing']);
    },
  );

  it('finds what is too short', () => {
    expect(of('color', 'c')).toEqual(['parameter-vague/too-short']);
  });

  it.each([
    ['note_id', 'The number of the note, as list_notes gives it.'],
    ['limit', 'Maximum number of results'],
    ['color', 'Hex colour, for example #ff0000'],
    ['lang', '言語コード'],
    ['path', '/'.repeat(3)],
  ])('leaves %s described as %j alone', (name, description) => {
    expect(of(name, description)).toEqual([]);
  });

  it('leaves missing descriptions to another rule', () => {
    expect(of('color', '')).toEqual([]);
    expect(codesOf(rule, [goodTool()])).toEqual([]);
  });
});
