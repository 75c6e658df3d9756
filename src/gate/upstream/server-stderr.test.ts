import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { followStderr } from './server-stderr.ts';

async function follow(...chunks: readonly Buffer[]): Promise<readonly string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  followStderr(stream, 'no\ntes', (line) => lines.push(line));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await finished(stream);
  return lines;
}

describe('what a server writes to standard error', () => {
  it('comes as whole lines that bear its name, the last one too', async () => {
    const bytes = Buffer.from('one\r\n\n\tgrüße\nend');
    const split = [...bytes].map((byte) => Buffer.from([byte]));
    const lines = ['one', '', '\tgrüße', 'end'].map((line) => `[no⟨U+000A⟩tes] ${line}\n`);
    expect(await follow(bytes)).toEqual(lines);
    expect(await follow(...split)).toEqual(lines);
  });

  it('has nothing in it that steers a terminal', async () => {
    const [line] = await follow(Buffer.from('a\r\u{1b}[2J\u{202e}b\n'));
    expect(line).toBe('[no⟨U+000A⟩tes] a⟨U+000D⟩⟨U+001B⟩[2J⟨U+202E⟩b\n');
  });

  it('is cut where a line has no end', async () => {
    const chunks = Array.from({ length: 100 }, () => Buffer.alloc(1000, 'x'));
    const [line, next] = await follow(...chunks, Buffer.from('\nnext\n'));
    expect(line).toBe(`[no⟨U+000A⟩tes] ${'x'.repeat(2000)} … and 98000 more characters\n`);
    expect(next).toBe('[no⟨U+000A⟩tes] next\n');
  });
});
