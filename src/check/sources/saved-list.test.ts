import { describe, expect, it } from 'vitest';
import { toFileKeys, toLineOf, toSavedList } from './saved-list.ts';

const TEXT = `{
  "result": {
    "tools": [
      { "name": "a" },
      {
        "name": "b",
        "annotations": {
          "readOnlyHint": true
        }
      }
    ]
  }
}`;

describe('toSavedList', () => {
  it.each([
    ['[{"name":"a"}]', []],
    ['{"tools":[{"name":"a"}]}', ['tools']],
    ['{"id":1,"result":{"tools":[{"name":"a"}]}}', ['result', 'tools']],
  ])('reads %s', (text, path) => {
    expect(toSavedList(JSON.parse(text))).toEqual({ tools: [{ name: 'a' }], path });
  });

  it.each(['{}', '{"tools":{}}', '{"result":[]}', '7', 'null'])('refuses %s', (text) => {
    expect(toSavedList(JSON.parse(text))).toBeUndefined();
  });
});

describe('toFileKeys', () => {
  it('puts a pointer into the list at its place in the file', () => {
    expect(toFileKeys('/tools/1/a~1b', ['result', 'tools'])).toEqual([
      'result',
      'tools',
      '1',
      'a/b',
    ]);
    expect(toFileKeys('/tools/1', [])).toEqual(['1']);
    expect(toFileKeys('', ['tools'])).toEqual(['tools']);
    expect(toFileKeys('/nextCursor', ['result', 'tools'])).toEqual(['result', 'nextCursor']);
  });
});

describe('toLineOf', () => {
  const lineOf = toLineOf(TEXT, ['result', 'tools']);

  it('finds the line of a part, or of what it would stand in', () => {
    expect(lineOf('/tools/0/name')).toBe(4);
    expect(lineOf('/tools/1')).toBe(5);
    expect(lineOf('/tools/1/annotations/readOnlyHint')).toBe(8);
    expect(lineOf('/tools/1/annotations/destructiveHint')).toBe(7);
    expect(lineOf('/tools/0/annotations/readOnlyHint')).toBe(4);
    expect(lineOf('')).toBe(3);
  });

  it('says the first line of what it cannot read', () => {
    expect(toLineOf('{', [])('/tools/3')).toBe(1);
  });
});
