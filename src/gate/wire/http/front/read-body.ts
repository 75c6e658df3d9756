/** The body of a request, in one piece and within a limit; `undefined` when it is larger. */
import type { IncomingMessage } from 'node:http';

export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and dropped, so that the client gets to read why.
      if (size <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => {
      const [first, second] = chunks;
      resolve(first !== undefined && second === undefined ? first : Buffer.concat(chunks));
    });
    request.once('error', reject);
    request.once('close', () => reject(new Error('the request broke off')));
  });
}
