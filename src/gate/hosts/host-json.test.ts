import { applyEdits } from 'jsonc-parser';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostJson } from './host-json.ts';
import {
  dropItems,
  memberOf,
  membersOf,
  prependItems,
  readHostJson,
  removeMember,
  valueOf,
} from './host-json.ts';

function accept(text: string): HostJson {
  const json = readHostJson(text);
  if (json.kind === 'malformed') throw new Error(`${json.line}:${json.column}`);
  return json;
}

function parse(text: string): unknown {
  return valueOf(accept(text).root);
}

function placeOf(text: string): string {
  const json = readHostJson(text);
  return json.kind === 'malformed' ? `${json.line}:${json.column}` : 'accepted';
}

describe('the JSON of hosts', () => {
  it('may hold comments and trailing commas', () => {
    const text = '// a\n{ /* b */ "a": [1, 2, /* c */ ], // d\n "b": {"c": null,}, } // e';
    expect(parse(text)).toEqual({ a: [1, 2], b: { c: null } });
  });

  it('has the same positions with a byte order mark and with CRLF', () => {
    const text = '\u{feff}{\r\n  "a": 1\r\n}';
    const member = memberOf(accept(text).root, 'a');
    expect(text.slice(member?.keyStart)).toBe('"a": 1\r\n}');
    expect(placeOf('\u{feff}{\r\n  a: 1\r\n}')).toBe('2:3');
    expect(placeOf('{}\u{feff}')).toBe('1:3');
  });

  it('keeps every member of a name, and uses the last one', () => {
    const { root } = accept('{"a": 1, "b": 2, "a": 3}');
    expect(membersOf(root).map(({ key }) => key)).toEqual(['a', 'b', 'a']);
    expect(memberOf(root, 'a')?.value.value).toBe(3);
  });

  it('has no key that reaches a prototype', () => {
    const value = parse('{"__proto__": {"a": 1}, "constructor": 2}') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it.each([
    ['', '1:1'],
    ['{"a" 1}', '1:6'],
    ["{'a': 1}", '1:2'],
    ['{"a": 01}', '1:8'],
    ['{"a": NaN}', '1:7'],
    ['[1 2]', '1:4'],
    ['[,]', '1:2'],
    ['{,}', '1:2'],
    ['{"a": 1,, }', '1:9'],
    ['{} {}', '1:4'],
  ])('is refused when it is %j, at %s', (text, place) => {
    expect(placeOf(text)).toBe(place);
  });

  it.each(['"\t"', '"\\x"', '"\\u12"', '"a', '1.', '1e', '-', '/* a', '{} /', '{"a": 1, /* }'])(
    'is refused when it is %j',
    (text) => {
      expect(placeOf(text)).not.toBe('accepted');
    },
  );

  it('is refused when it is nested too deeply, and not a level sooner', () => {
    expect(placeOf('['.repeat(200) + ']'.repeat(200))).toBe('accepted');
    expect(placeOf('['.repeat(201) + ']'.repeat(201))).toBe('1:201');
  });

  it('means what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (text, indent) => {
        const value: unknown = JSON.parse(text);
        expect(parse(JSON.stringify(value, null, indent))).toEqual(value);
      }),
    );
  });

  it('is JSON wherever no comment and no trailing comma is in it', () => {
    const marks = Array.from('[]{}:,"\\ 01-.eE\n\u{feff}\t');
    const part = fc.constantFrom(...marks, 'true', 'nul', '"a"', 'u0');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        fc.pre(!/,\s*[\]}]/.test(text) && !text.startsWith('\u{feff}'));
        expect(placeOf(text) === 'accepted').toBe(isJson(text));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('an edit', () => {
  const remove = (text: string, key: string): string => {
    const json = accept(text);
    const member = memberOf(json.root, key);
    if (member === undefined) throw new Error(`no ${key}`);
    return applyEdits(text, removeMember(json, json.root, member));
  };

  it.each([
    ['{"a": 1, "b": 2}', 'b', '{"a": 1}'],
    ['{"a": 1, "b": 2}', 'a', '{"b": 2}'],
    ['{"a": 1, "b": 2, }', 'b', '{"a": 1, }'],
    ['{\n  "a": 1, // one\n  "b": 2\n}', 'b', '{\n  "a": 1 // one\n}'],
    ['{\r\n\t"a": 1,\r\n\t"b": 2,\r\n}', 'a', '{\r\n\t"b": 2,\r\n}'],
    ['{"a": [1, 2], /* , */ "b": 2}', 'b', '{"a": [1, 2] /* , */}'],
    ['{"a": 1 /* , */, "b": 2}', 'a', '{"b": 2}'],
    ['{"a": {"b": 1, "c": 2}}', 'a', '{}'],
  ])('of %j removes %s and no comment but its own', (text, key, after) => {
    expect(remove(text, key)).toBe(after);
  });

  it('takes commas in comments, texts and inner parts for what they are', () => {
    const text = '["a,b" /* , */ , [1, 2], "c" // ,\n]';
    const json = accept(text);
    expect(applyEdits(text, [dropItems(json, json.root, 1)])).toBe('[[1, 2], "c" // ,\n]');
    expect(applyEdits(text, [dropItems(json, json.root, 3)])).toBe('[ // ,\n]');
    expect(applyEdits('[]', [prependItems(accept('[]'), accept('[]').root, ['x', 'y'])])).toBe(
      '["x", "y"]',
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
