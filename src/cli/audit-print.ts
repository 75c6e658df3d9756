/** Prints lines as fast as they are read, and ends quietly when nobody reads any more (`… | head`). */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export async function printLines(lines: AsyncIterable<string>): Promise<void> {
  async function* ended(): AsyncGenerator<string, void> {
    for await (const line of lines) yield `${line}\n`;
  }
  try {
    await pipeline(Readable.from(ended()), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
