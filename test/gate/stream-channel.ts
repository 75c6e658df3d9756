/** A server in this process as a channel: lines over two streams, as over its standard input and output. */
import { PassThrough } from 'node:stream';
import type { Channel, Listener } from '../../src/gate/protocol/channel.ts';
import type { Frame } from '../../src/gate/protocol/frame.ts';
import { Lines } from '../../src/gate/protocol/lines.ts';
import { MESSAGE_LIMIT, readServerFrame } from '../../src/gate/protocol/read-frame.ts';

export class StreamChannel implements Channel {
  /** What the server reads and writes. */
  readonly stdin: PassThrough = new PassThrough();
  readonly stdout: PassThrough = new PassThrough();
  /** Everything that went down, to look at. */
  readonly sent: Frame[] = [];

  listen(listener: Listener): void {
    const lines = new Lines(MESSAGE_LIMIT);
    this.stdout.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) {
        const frame = readServerFrame(line);
        if (frame !== undefined) listener.frame(frame);
      }
    });
    this.stdout.once('end', () => listener.closed());
  }

  send(frame: Frame): void {
    this.sent.push(frame);
    this.stdin.write(frame.bytes);
    this.stdin.write('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stdin.end();
    this.stdout.end();
  }
}
