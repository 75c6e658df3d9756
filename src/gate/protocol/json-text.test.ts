import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editText, locate } from './json-text.ts';

function valueAt(text: string, path: readonly string[]): unknown {
  const place = locate(text, path);
  return place === undefined ? undefined : JSON.parse(text.slice(place.start, place.end));
}

describe('locate', () => {
  it('finds a value by its path and gives back its very text', () => {
    const text = ' {"a" : {"x": [1, {"b": 2}],\n"b" : {"c\\u0064" : -1.50e3 } } , "b":null}';
    const place = locate(text, ['a', 'b', 'cd']);
    expect(place && text.slice(place.start, place.end)).toBe('-1.50e3');
    expect(locate(text, ['a', 'b', 'none'])).toBeUndefined();
    expect(locate(text, ['a', 'x', 'b'])).toBeUndefined();
    expect(valueAt(text, ['b'])).toBeNull();
  });

  it('is not misled by braces, quotes and backslashes in strings', () => {
    const text = '{"a":"}\\"{\\\\","b\\"":"[","c":{"a":1}}';
    expect(valueAt(text, ['a'])).toBe('}"{\\');
    expect(valueAt(text, ['b"'])).toBe('[');
    expect(valueAt(text, ['c', 'a'])).toBe(1);
  });

  it('agrees with the engine for any document', () => {
    const document = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(document, fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const plain = JSON.parse(text) as Record<string, Record<string, unknown>>;
        for (const key of Object.keys(plain)) {
          expect(valueAt(text, [key])).toEqual(plain[key]);
          for (const inner of Object.keys(plain[key] ?? {})) {
            expect(valueAt(text, [key, inner])).toEqual(plain[key]?.[inner]);
          }
        }
      }),
    );
  });

  it('ends on text that is not JSON', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        locate(text, ['a', 'b']);
      }),
    );
    for (const text of ['{"a', '{"a":', '{"a":{', '{"a":"\\']) {
      expect(() => locate(text, ['a', 'b'])).not.toThrow();
    }
  });
});

const TEXT = '{"id" : 1,"params":{ "a" : 1.0, "b":{"x":[1,2]} ,"c":"\\u00e9" },"z":null}';

describe('editText', () => {
  it('removes, replaces and adds, and keeps the text of all others', () => {
    const changed = editText(TEXT, [
      { kind: 'remove', path: ['params', 'b'] },
      { kind: 'set', path: ['params', 'c'], value: 'd' },
      { kind: 'set', path: ['params', 'e'], value: [] },
      { kind: 'replace', path: ['params', 'f'], value: 1 },
    ]);
    expect(changed).toBe('{"id" : 1,"params":{"e":[], "a" : 1.0, "c":"d" },"z":null}');
  });

  it('changes every member of the name, so that no reader sees the old one', () => {
    const twice = '{"a":1,"b":{"x":1},"\\u0061":2,"b":{"x":2}}';
    expect(editText(twice, [{ kind: 'set', path: ['a'], value: 9 }])).toBe(
      '{"a":9,"b":{"x":1},"\\u0061":9,"b":{"x":2}}',
    );
    expect(editText(twice, [{ kind: 'remove', path: ['a'] }])).toBe('{"b":{"x":1},"b":{"x":2}}');
    expect(valueAt(twice, ['b', 'x'])).toBe(2);
  });
});
