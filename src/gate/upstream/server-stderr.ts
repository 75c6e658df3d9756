/**
 * What a server writes to standard error, as lines that bear its name: nobody can take them for the
 * gate's own, nothing in them steers a terminal, and none is longer than people read.
 */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { showText } from '../approvals/show-text.ts';

const LONGEST = 2000;

export function followStderr(
  stream: Readable,
  server: string,
  write: (line: string) => void,
): void {
  const decoder = new StringDecoder('utf8');
  const label = `[${showText(server)}] `;
  let line = '';
  let left = 0;
  const add = (text: string): void => {
    const rest = text.slice(0, LONGEST - line.length);
    line += rest;
    left += text.length - rest.length;
  };
  const end = (): void => {
    const more = left === 0 ? '' : ` … and ${left} more characters`;
    write(`${label}${showLine(line.replace(/\r$/, ''))}${more}\n`);
    line = '';
    left = 0;
  };
  const read = (text: string): void => {
    const [first = '', ...others] = text.split('\n');
    add(first);
    for (const other of others) {
      end();
      add(other);
    }
  };
  stream.on('data', (chunk: Buffer) => read(decoder.write(chunk)));
  stream.once('close', () => {
    read(decoder.end());
    if (line !== '') end();
  });
}

/** Tabs indent, and do no more than that. */
function showLine(line: string): string {
  return line.split('\t').map(showText).join('\t');
}
