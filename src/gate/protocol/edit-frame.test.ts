import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editFrame, readdress } from './edit-frame.ts';
import type { Frame, JsonObject } from './frame.ts';
import { toFrame } from './frame.ts';

function toRaw(text: string): Frame {
  return { bytes: Buffer.from(text), message: JSON.parse(text) as JsonObject };
}

function textOf({ bytes }: Frame): string {
  return Buffer.from(bytes).toString('utf8');
}

describe('editFrame', () => {
  it('gives back the very frame when there is nothing to change', () => {
    const frame = toRaw('{"id":1}');
    expect(editFrame(frame, [])).toBe(frame);
  });

  it('changes one value and no other byte', () => {
    const frame = toRaw('{ "id" : 1, "params": {"n": 1.50, "e": "\\u0041"} }');
    const edited = editFrame(frame, [{ kind: 'set', path: ['id'], value: 'x' }]);
    expect(textOf(edited)).toBe('{ "id" : "x", "params": {"n": 1.50, "e": "\\u0041"} }');
    expect(edited.message.id).toBe('x');
  });

  it('adds what is missing, with the objects above it', () => {
    const path = ['params', '_meta', 'key'] as const;
    const edits = [{ kind: 'set', path, value: 1 }] as const;
    expect(textOf(editFrame(toRaw('{"id":1}'), edits))).toBe(
      '{"params":{"_meta":{"key":1}},"id":1}',
    );
    expect(textOf(editFrame(toRaw('{"params":{ }}'), edits))).toBe(
      '{"params":{"_meta":{"key":1} }}',
    );
  });

  it.each([
    ['{"a":1 , "b":2, "c":3}', 'a', '{ "b":2, "c":3}'],
    ['{"a":1 , "b":2, "c":3}', 'b', '{"a":1 ,  "c":3}'],
    ['{"a":1 , "c\\"\\\\":2 ,"b":3 }', 'b', '{"a":1 , "c\\"\\\\":2  }'],
    ['{"b":{"x":[1]}}', 'b', '{}'],
    ['{"a":1}', 'b', '{"a":1}'],
  ])('removes from %s the member %s', (text, key, left) => {
    const edited = editFrame(toRaw(text), [{ kind: 'remove', path: [key] }]);
    expect(textOf(edited)).toBe(left);
    expect(edited.message).toEqual(JSON.parse(left));
  });

  it('says the same in bytes and in the message, whatever is changed', () => {
    const objects = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()));
    // The plain code below would set a prototype.
    const key = fc.string().filter((one) => one !== '__proto__');
    fc.assert(
      fc.property(objects, key, key, fc.jsonValue(), fc.boolean(), (object, a, b, value, cut) => {
        const frame = toFrame(JSON.parse(JSON.stringify(object)) as JsonObject);
        const path = [a, b] as const;
        const set = { kind: 'set', path, value: JSON.parse(JSON.stringify(value)) } as const;
        const edited = editFrame(frame, [cut ? { kind: 'remove', path } : set]);
        expect(JSON.parse(textOf(edited))).toEqual(edited.message);
        const expected = structuredClone(frame.message) as Record<string, Record<string, unknown>>;
        if (cut && Object.hasOwn(expected, a)) delete expected[a]?.[b];
        if (!cut) expected[a] = { ...expected[a], [b]: set.value };
        expect(edited.message).toEqual(expected);
      }),
    );
  });
});

const id = fc.oneof(fc.integer(), fc.string());
const result = fc.dictionary(fc.string(), fc.jsonValue());

function withId(text: string, value: string | number): string {
  return textOf(editFrame(toRaw(text), [{ kind: 'set', path: ['id'], value }]));
}

describe('another id', () => {
  it('changes the id and nothing else, wherever it stands', () => {
    fc.assert(
      fc.property(id, id, result, fc.boolean(), fc.nat(2), (old, own, value, isFirst, indent) => {
        const message = isFirst
          ? { jsonrpc: '2.0', id: old, result: value }
          : { result: value, jsonrpc: '2.0', id: old };
        const wanted = JSON.stringify({ ...message, id: own }, undefined, indent);
        expect(withId(JSON.stringify(message, undefined, indent), own)).toBe(wanted);
      }),
    );
  });

  it('is not misled by what looks like an id', () => {
    expect(withId('{"id":1,"result":{"x":"a","id":1}}', 9)).toBe(
      '{"id":9,"result":{"x":"a","id":1}}',
    );
    expect(withId('{"jsonrpc":"2.0","id":1e1,"result":{}}', 9)).toBe(
      '{"jsonrpc":"2.0","id":9,"result":{}}',
    );
  });

  it.each(['"id"', '"\\u0069d"', '"i\\u0064"'])('leaves no second one that %s spells', (key) => {
    const head = `{"jsonrpc":"2.0","id":1,"result":{},${key}:1}`;
    expect(withId(head, 9)).toBe(`{"jsonrpc":"2.0","id":9,"result":{},${key}:9}`);
    expect(withId(`{${key}:1,"result":{},"id":1}`, 9)).toBe(`{${key}:9,"result":{},"id":9}`);
  });
});

it('replaces only what is there', () => {
  const text = '{"id":1,"params":{"name":"é","_meta":{"progressToken":"a","other":1}}}';
  const edited = editFrame(toRaw(text), [
    { kind: 'replace', path: ['params', '_meta', 'progressToken'], value: 5 },
    { kind: 'replace', path: ['params', 'none', 'x'], value: 5 },
  ]);
  const wanted = '{"id":1,"params":{"name":"é","_meta":{"progressToken":5,"other":1}}}';
  expect(textOf(edited)).toBe(wanted);
  expect(edited.message).toEqual(JSON.parse(wanted));
});

describe('readdress', () => {
  it('keeps the text of each part, the last where one is written twice', () => {
    const text = '{"id":1,"result":{"n":1},"extra":0,"result":{"n":1.50},"id":2}';
    const sent = readdress(toRaw(text), 'x', 'x');
    expect(textOf(sent)).toBe('{"jsonrpc":"2.0","id":"x","result":{"n":1.50}}');
    expect(sent.message).toEqual({ jsonrpc: '2.0', id: 'x', result: { n: 1.5 } });
  });

  it('goes by the bytes where a message says less than they do', () => {
    const frame = { bytes: Buffer.from('{"id":1,"result":{"n":1}}'), message: { id: 1 } };
    const sent = readdress(frame, 3);
    expect(textOf(sent)).toBe('{"jsonrpc":"2.0","id":3,"result":{"n":1}}');
    expect(sent.message).toEqual({ jsonrpc: '2.0', id: 3, result: { n: 1 } });
  });

  it('is a message also without any part', () => {
    expect(textOf(readdress(toRaw('{"jsonrpc":"2.0","id":5}'), 7))).toBe(
      '{"jsonrpc":"2.0","id":7}',
    );
  });
});
