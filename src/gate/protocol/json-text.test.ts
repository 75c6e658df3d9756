import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeMembers, locate } from './json-text.ts';

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

describe('changeMembers', () => {
  it('leaves out, replaces and adds, and keeps the text of all others', () => {
    const changed = changeMembers(TEXT, ['params'], { b: undefined, c: '"d"', e: '[]' });
    expect(changed).toBe('{"id" : 1,"params":{"a" : 1.0,"c":"d","e":[]},"z":null}');
  });

  it('fills an empty object, and finds nothing where there is none', () => {
    expect(changeMembers('{"a":{}}', ['a'], { b: '1' })).toBe('{"a":{"b":1}}');
    expect(changeMembers(TEXT, ['params', 'a'], { b: '1' })).toBeUndefined();
    expect(changeMembers(TEXT, ['none'], { b: '1' })).toBeUndefined();
  });
});
