import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const of = (
  name: string,
  description: string,
  schema: Readonly<Record<string, unknown>> = { type: 'string' },
): readonly string[] => {
  const properties = { [name]: { ...schema, description } };
  return codesOf(rule, [goodTool({ inputSchema: { type: 'object', properties } })]);
};

describe('free-text-power', () => {
  it.each([
    ['command', '', 'shell'],
    ['shellCommand', '', 'shell'],
    ['sql', '', 'sql'],
    ['query', 'A SQL query', 'sql'],
    ['python_code', '', 'code'],
    ['code', 'The code that is executed', 'code'],
    ['path', 'Where the file is', 'path'],
    ['outputPath', 'The folder for results', 'path'],
  ])('finds %s (%j) as %s', (name, description, detail) => {
    expect(of(name, description)).toEqual([`free-text-power/${detail}`]);
  });

  it('finds an optional text', () => {
    const anyOf = [{ type: 'string' }, { type: 'null' }];
    expect(of('sql', '', { anyOf })).toEqual(['free-text-power/sql']);
    expect(of('sql', '', { type: ['string', 'null'] })).toEqual(['free-text-power/sql']);
  });

  it.each([{ enum: ['a'] }, { const: 'a' }, { pattern: '^a' }, { maxLength: 80 }])(
    'is content with %j',
    (bound) => {
      expect(of('command', '', { type: 'string', ...bound })).toEqual([]);
      expect(of('command', '', { anyOf: [{ type: 'string', ...bound }] })).toEqual([]);
    },
  );

  it.each([
    ['query', 'What to search for'],
    ['code', 'The postal code'],
    ['path', 'The path of the API'],
    ['path', 'The path of the file in the repository'],
    ['function', 'What the person does for a living'],
    ['commands_left', 'How many'],
  ])('leaves %s (%j) alone', (name, description) => {
    expect(of(name, description)).toEqual([]);
  });

  it('leaves what is no text alone', () => {
    expect(of('command', '', { type: 'integer' })).toEqual([]);
    expect(codesOf(rule, [goodTool(), null, {}])).toEqual([]);
  });
});
