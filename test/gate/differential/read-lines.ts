/** Lines as MCP means them: only a line feed ends one, where `node:readline` also takes U+2028. */
import type { Readable } from 'node:stream';

export function readLines(stream: Readable, take: (line: string) => void): void {
  let rest: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
      if (line.trim() !== '') take(line);
    }
    rest.push(chunk.subarray(start));
  });
}
