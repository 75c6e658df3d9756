/** Shows every message of a server's answer to somebody, while its bytes go on by themselves. */
import type { IncomingMessage } from 'node:http';
import type { Frame, RpcId } from '../wire/frame.ts';
import { EventReader } from '../wire/http/events.ts';
import { MESSAGE_LIMIT, readServerFrame } from '../wire/read-frame.ts';

export function isEventStream({ headers }: IncomingMessage): boolean {
  return (headers['content-type'] ?? '').startsWith('text/event-stream');
}

export function collect(
  answer: IncomingMessage,
  show: (frame: Frame) => void,
  about?: RpcId,
): void {
  const showBytes = (bytes: Buffer): void => {
    const frame = readServerFrame(bytes, about);
    if (frame !== undefined) show(frame);
  };
  if (isEventStream(answer)) {
    const events = new EventReader(MESSAGE_LIMIT, showBytes);
    answer.on('data', (chunk: Buffer) => {
      try {
        events.push(chunk);
      } catch {
        answer.destroy();
      }
    });
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  answer.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MESSAGE_LIMIT) chunks.push(chunk);
  });
  answer.once('end', () => {
    const [first, ...rest] = chunks;
    if (first !== undefined) showBytes(rest.length === 0 ? first : Buffer.concat(chunks));
  });
}
