import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../frame.ts';
import { replaceAt, replaceId, replaceIn } from './replace-id.ts';

const id = fc.oneof(fc.integer(), fc.string());
const result = fc.dictionary(fc.string(), fc.jsonValue());

function text(bytes: Uint8Array): string {
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
        expect(text(replaceId(bytes, old, own))).toBe(JSON.stringify(wanted, undefined, indent));
      }),
    );
  });

  it('is not misled by what looks like an id', () => {
    const tail = Buffer.from('{"id":1,"result":{"x":"a","id":1}}');
    expect(text(replaceId(tail, 1, 9))).toBe('{"id":9,"result":{"x":"a","id":1}}');
    const longer = Buffer.from('{"jsonrpc":"2.0","id":1e1,"result":{}}');
    expect(text(replaceId(longer, 10, 9))).toBe('{"jsonrpc":"2.0","id":9,"result":{}}');
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
    expect(JSON.parse(text(bytes))).toEqual(replaceIn(message, replacements));
    expect(text(bytes)).toBe(
      '{"id":5,"params":{"name":"é","_meta":{"progressToken":5,"other":1}}}',
    );
  });
});
