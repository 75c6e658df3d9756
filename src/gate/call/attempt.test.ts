import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertKey } from './attempt.ts';
import type { KeySlot } from '../tools/key-slot.ts';

const KEY = '0199-key-of-the-gate';
const ARGUMENT: KeySlot = { kind: 'argument', name: 'idempotency_key' };
const META: KeySlot = { kind: 'meta', name: 'dev.plimsoll/idempotency-key' };

function insert(text: string, slot = ARGUMENT): string {
  return Buffer.from(insertKey(Buffer.from(text), slot, KEY)).toString();
}

describe('inserting a key', () => {
  it.each([
    [
      'arguments',
      '{"params":{"arguments":{"a":1}}}',
      `{"params":{"arguments":{"idempotency_key":"${KEY}","a":1}}}`,
    ],
    [
      'empty arguments',
      '{"params":{"arguments":{ }}}',
      `{"params":{"arguments":{"idempotency_key":"${KEY}" }}}`,
    ],
    [
      'no arguments',
      '{"params":{"name":"x"}}',
      `{"params":{"arguments":{"idempotency_key":"${KEY}"},"name":"x"}}`,
    ],
    [
      'arguments that are null',
      '{"params":{"arguments": null}}',
      `{"params":{"arguments": {"idempotency_key":"${KEY}"}}}`,
    ],
    ['no params', '{"id":1}', `{"params":{"arguments":{"idempotency_key":"${KEY}"}},"id":1}`],
    [
      'a key that is null',
      '{"params":{"arguments":{"idempotency_key":null}}}',
      `{"params":{"arguments":{"idempotency_key":"${KEY}"}}}`,
    ],
    [
      'a key that is empty',
      '{"params":{"arguments":{"idempotency_key": "" }}}',
      `{"params":{"arguments":{"idempotency_key": "${KEY}" }}}`,
    ],
  ])('into %s', (_, before, after) => {
    expect(insert(before)).toBe(after);
  });

  it('into _meta, beside what is there', () => {
    expect(insert('{"params":{"_meta":{"progressToken":7},"arguments":{}}}', META)).toBe(
      `{"params":{"_meta":{"${META.name}":"${KEY}","progressToken":7},"arguments":{}}}`,
    );
  });

  it('leaves the key of the caller, a header slot and odd arguments alone', () => {
    const own = '{"params":{"arguments":{"idempotency\\u005fkey":"mine"}}}';
    expect(insert(own)).toBe(own);
    const odd = '{"params":{"arguments":[1]}}';
    expect(insert(odd)).toBe(odd);
    const plain = '{"params":{"arguments":{}}}';
    expect(insert(plain, { kind: 'header', name: 'idempotency-key' })).toBe(plain);
  });

  it('leaves spelling, spaces, escapes and every byte around it as they were', () => {
    const args = '{ "näme" : "\\u00e4 \u{1f6a2}", "n":1.0e2 , "params":{"arguments":{}} }';
    const text = `{"jsonrpc":"2.0", "é🚢":"\\"params\\":{", "params" :\t{"arguments":${args}},"id":1}`;
    const after = insert(text);
    expect(after.replace(`"idempotency_key":"${KEY}",`, '')).toBe(text);
    expect(JSON.parse(after)).toMatchObject({ params: { arguments: { idempotency_key: KEY } } });
  });

  it('works on a window of a larger buffer', () => {
    const whole = Buffer.from('xx{"params":{"arguments":{}}}yy');
    const after = insertKey(whole.subarray(2, -2), ARGUMENT, KEY);
    expect(Buffer.from(after).toString()).toBe(
      `{"params":{"arguments":{"idempotency_key":"${KEY}"}}}`,
    );
  });

  it('changes that one member only, in any message', () => {
    const members = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    fc.assert(
      fc.property(members, members, fc.constantFrom(0, 1, 3), (args, beside, indent) => {
        fc.pre(!('idempotency_key' in args) && !('arguments' in beside));
        const message = { method: 'tools/call', params: { ...beside, arguments: args } };
        const text = JSON.stringify(message, null, indent);
        const after: unknown = JSON.parse(insert(text));
        const expected = { ...args, idempotency_key: KEY };
        expect(after).toEqual(
          JSON.parse(JSON.stringify({ ...message, params: { ...beside, arguments: expected } })),
        );
      }),
    );
  });
});
