import { describe, expect, it } from 'vitest';
import type { Caller } from './frame.ts';
import { isObject, readClientFrame } from './read-frame.ts';

const ADA: Caller = { principal: { id: 'ada', scopes: [] }, session: 's', via: 'mcp-stdio' };

function read(text: string | Buffer): ReturnType<typeof readClientFrame> {
  return readClientFrame(Buffer.from(text), ADA);
}

describe('a message that is refused', () => {
  const deep = '['.repeat(200) + ']'.repeat(200);

  it.each([
    ['half of a surrogate pair', '{"id":7,"method":"x","params":{"a":"\\ud800"}}', 7],
    ['too deep', `{"id":"seven","method":"x","params":{"a":${deep}}}`, 'seven'],
    ['an integer that no double holds', '{"method":"x","params":{"a":9007199254740993},"id":7}', 7],
    ['two equal keys inside', '{"id":7,"method":"x","params":{"a":1,"a":2}}', 7],
    ['keys in another case', '{"id":7,"method":"x","Params":{}}', 7],
    ['a method that is no text', '{"id":7,"method":1}', 7],
    ['parameters that are a number', '{"id":7,"method":"x","params":1e+21}', 7],
    ['no UTF-8', Buffer.from([...Buffer.from('{"id":7,"method":"'), 0xff, 0x22, 0x7d]), 7],
    ['two ids', '{"id":7,"method":"x","id":8}', null],
    ['two ids, one escaped', '{"id":7,"method":"x","\\u0069d":8}', null],
    ['an id that no double holds', '{"id":9007199254740993,"method":"x"}', null],
    ['an id that is not safe', '{"id":1e+21,"method":"x"}', null],
    ['an id with half of a surrogate pair', '{"id":"7\\ud800","method":"x"}', null],
    ['an id that is no UTF-8', Buffer.from([...Buffer.from('{"id":"7'), 0xff, 0x22, 0x7d]), null],
    ['an id of a wrong type', '{"id":[7],"method":"x"}', null],
    ['not JSON', '{"id":7,"method":"x"', null],
    ['several messages', '[{"id":7,"method":"x"}]', null],
  ])('has its id wherever that can be read: %s', (_, text, id) => {
    expect(read(text)).toMatchObject({ kind: 'refused', id, isResponse: false });
  });

  it('is known as an answer to the server', () => {
    for (const text of [
      '{"id":7,"result":{"a":"\\udc00"}}',
      '{"id":7,"error":{"code":9007199254740993}}',
    ]) {
      expect(read(text)).toMatchObject({ kind: 'refused', id: 7, isResponse: true });
    }
    const both = '{"id":7,"method":"x","result":{"a":"\\udc00"}}';
    expect(read(both)).toMatchObject({ kind: 'refused', id: 7, isResponse: false });
  });
});

describe('numbers that JSON.stringify writes', () => {
  it('pass as the bytes they are', () => {
    const text = JSON.stringify({ id: 1, method: 'x', params: { snowflake: 2 ** 60, huge: 1e21 } });
    const reading = read(text);
    if (reading.kind !== 'frame') throw new Error(reading.problem.detail);
    const { bytes, message } = reading.frame;
    expect(Buffer.from(bytes).toString('utf8')).toBe(text);
    expect(JSON.stringify(message)).toBe(text);
    expect(message.params?.['huge']).not.toBe(1e21);
    expect(isObject(message.params?.['huge'])).toBe(false);
  });
});
