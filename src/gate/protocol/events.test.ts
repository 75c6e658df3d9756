import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventReader, EventTooLargeError, KEEP_ALIVE, toEvent } from './events.ts';

function read(chunks: readonly Buffer[], limit = 1000): { data: string[]; reader: EventReader } {
  const data: string[] = [];
  const reader = new EventReader(limit, (bytes) => void data.push(bytes.toString('utf8')));
  for (const chunk of chunks) reader.push(chunk);
  return { data, reader };
}

function readText(text: string, limit?: number): string[] {
  return read([Buffer.from(text)], limit).data;
}

describe('EventReader', () => {
  it('gives the same events however the stream is cut and whichever line ends it uses', () => {
    const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n]/g, ''));
    const event = fc.array(line, { minLength: 1, maxLength: 3 });
    const ends = fc.constantFrom('\n', '\r', '\r\n');
    fc.assert(
      fc.property(fc.array(event), ends, fc.array(fc.nat(20)), (events, end, cuts) => {
        const text = events
          .map(
            (lines) => `: note${end}${lines.map((each) => `data: ${each}${end}`).join('')}${end}`,
          )
          .join('');
        const bytes = Buffer.from(text);
        const chunks: Buffer[] = [];
        let start = 0;
        for (const length of cuts) {
          chunks.push(bytes.subarray(start, start + length));
          start += length;
        }
        chunks.push(bytes.subarray(start));
        const wanted = events.map((lines) => lines.join('\n')).filter((data) => data !== '');
        expect(read(chunks, 10_000).data).toEqual(
          wanted.map((data) => Buffer.from(data).toString('utf8')),
        );
      }),
    );
  });

  it('reads back what is written, and takes a sign of life for nothing', () => {
    const bytes = Buffer.concat([KEEP_ALIVE, toEvent(Buffer.from('{"a":"é"}')), KEEP_ALIVE]);
    expect(read([bytes]).data).toEqual(['{"a":"é"}']);
  });

  it('knows where to come back, and when', () => {
    const { data, reader } = read([Buffer.from('\uFEFFid: 7\nretry: 250\ndata: \n\n')]);
    expect([data, reader.lastId, reader.retryMs]).toEqual([[], '7', 250]);
  });

  it('keeps bytes that are no text, and characters that end lines elsewhere', () => {
    const bytes = Buffer.concat([
      Buffer.from('data: "'),
      Buffer.from([0xff, 0xc3, 0x00]),
      Buffer.from('\u2028\u0085\uFEFF"'),
    ]);
    const seen: Buffer[] = [];
    const reader = new EventReader(1000, (data) => void seen.push(data));
    reader.push(Buffer.concat([bytes, Buffer.from('\r\r')]));
    expect(seen).toEqual([bytes.subarray('data: '.length)]);
  });

  it('resumes after the last complete event, since the one that was cut off is still needed', () => {
    const cut = read([Buffer.from('id: 1\ndata: a\n\nid: 2\ndata: b\n')]);
    expect([cut.data, cut.reader.lastId]).toEqual([['a'], '1']);
  });

  it('leaves out events of other kinds and those without an end', () => {
    expect(readText('event: ping\ndata: 1\n\nevent: message\ndata:2\n\ndata: 3')).toEqual(['2']);
  });

  it('counts lines without text, and joins any number of them', () => {
    expect(() => readText('data:\n'.repeat(5000), 1000)).toThrow(EventTooLargeError);
    const lines = Array.from({ length: 5000 }, (_, at) => (at % 3 === 0 ? '' : `line ${at}`));
    const text = lines.map((line) => `data: ${line}\n`).join('');
    const whole = lines.join('\n');
    expect(readText(`${text}\n${text}\n`, whole.length)).toEqual([whole, whole]);
    expect(() => readText(`${text}\n`, whole.length - 1)).toThrow(EventTooLargeError);
  });

  it('refuses an event that grows past the limit, in one line or many, and no other', () => {
    expect(() => readText(`data: ${'x'.repeat(100)}`, 50)).toThrow(EventTooLargeError);
    expect(() => readText(`data: ${'x'.repeat(30)}\n`.repeat(2), 50)).toThrow(EventTooLargeError);
    expect(readText(`data: ${'x'.repeat(30)}\n\n`.repeat(5), 50)).toHaveLength(5);
  });
});
