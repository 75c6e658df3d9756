import { describe, expect, it } from 'vitest';
import { Lines } from './lines.ts';
import { refuseTooLong } from './read-frame.ts';

/** What is read and what is left out, however the text is cut. */
function readAll(text: string, limit: number, step: number): readonly string[] {
  const log: string[] = [];
  const lines = new Lines(limit, ({ head, tail }) =>
    log.push(`skipped ${head.subarray(0, 3).toString()}…${tail.subarray(-3).toString()}`),
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += step) {
    for (const line of lines.push(bytes.subarray(at, at + step))) log.push(line.toString());
  }
  for (const line of lines.end()) log.push(line.toString());
  return log;
}

describe('lines with a bound', () => {
  it.each([1, 2, 7, 1000])('leave out what is too long and go on behind it, cut by %d', (step) => {
    const long = `abc${'.'.repeat(9000)}xyz`;
    expect(readAll(`one\r\n${long}\ntwo\n\nthree`, 20, step).toSorted()).toEqual([
      'one',
      'skipped abc…xyz',
      'three',
      'two',
    ]);
  });

  it('end the stream where nobody is told', () => {
    expect(() => new Lines(10).push(Buffer.from('x'.repeat(11)))).toThrow(/more than 10 bytes/);
  });
});

describe('a line that was too long', () => {
  const padding = '.'.repeat(5000);
  const refuse = (text: string): ReturnType<typeof refuseTooLong> =>
    refuseTooLong(
      { head: Buffer.from(text).subarray(0, 4096), tail: Buffer.from(text).subarray(-4096) },
      100,
    );

  it.each([
    [`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get","x":"${padding}"}}`, 5],
    [`{"method":"tools/call","params":{"name":"get","x":"${padding}"},"jsonrpc":"2.0","id":5}`, 5],
    [
      `{"method":"tools/call","params":{"name":"get","x":"${padding}"},"id":"a","jsonrpc":"2.0"}`,
      'a',
    ],
  ])('is answered under its id, and its call is named', (text, id) => {
    expect(refuse(text)).toMatchObject({
      problem: { code: 'payload-too-large', limit: 100 },
      id,
      isResponse: false,
      calls: ['get'],
    });
  });

  it('is answered to nobody where its id cannot be told', () => {
    const inner = `{"method":"x","params":{"x":"${padding}","y":{"id":5}}}`;
    expect(refuse(inner)).toMatchObject({ id: null, calls: [] });
  });

  it('may be an answer that a server waits for', () => {
    const answer = `{"jsonrpc":"2.0","id":5,"result":{"x":"${padding}"}}`;
    expect(refuse(answer)).toMatchObject({ id: 5, isResponse: true });
  });
});
