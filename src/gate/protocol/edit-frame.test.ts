import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editFrame, replaceAt, replaceId, replaceIn } from './edit-frame.ts';
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

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

describe('replaceId', () => {
  it('changes the id and nothing else, wherever it stands', () => {
    fc.assert(
      fc.property(id, id, result, fc.boolean(), fc.nat(2), (old, own, value, isFirst, indent) => {
        const message = isFirst
          ? { jsonrpc: '2.0', id: old, result: value }
          : { result: value, jsonrpc: '2.0', id: old };
        const wanted = { ...message, id: own };
        const bytes = Buffer.from(JSON.stringify(message, undefined, indent));
        expect(toText(replaceId(bytes, old, own))).toBe(JSON.stringify(wanted, undefined, indent));
      }),
    );
  });

  it('is not misled by what looks like an id', () => {
    const tail = Buffer.from('{"id":1,"result":{"x":"a","id":1}}');
    expect(toText(replaceId(tail, 1, 9))).toBe('{"id":9,"result":{"x":"a","id":1}}');
    const longer = Buffer.from('{"jsonrpc":"2.0","id":1e1,"result":{}}');
    expect(toText(replaceId(longer, 10, 9))).toBe('{"jsonrpc":"2.0","id":9,"result":{}}');
  });
});

describe('replaceAt', () => {
  it('keeps the bytes and the message the same', () => {
    const message: JsonObject = {
      id: 1,
      params: { name: 'é', _meta: { progressToken: 'a', other: 1 } },
    };
    const replacements = [
      [['id'], 5],
      [['params', '_meta', 'progressToken'], 5],
      [['params', 'none', 'x'], 5],
    ] as const;
    const bytes = replaceAt(Buffer.from(JSON.stringify(message)), replacements);
    expect(JSON.parse(toText(bytes))).toEqual(replaceIn(message, replacements));
    expect(toText(bytes)).toBe(
      '{"id":5,"params":{"name":"é","_meta":{"progressToken":5,"other":1}}}',
    );
  });
});
