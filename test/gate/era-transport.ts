/** An SDK client's transport over a channel, as a downstream would serve it: strict in, bytes out. */
import type { Channel } from '../../src/gate/protocol/channel.ts';
import { toFailureFrame } from '../../src/gate/protocol/frame.ts';
import type { Caller, Frame } from '../../src/gate/protocol/frame.ts';
import { readClientFrame } from '../../src/gate/protocol/read-frame.ts';

const CALLER: Caller = {
  principal: { id: 'ada', scopes: [] },
  session: 'session-1',
  via: 'mcp-stdio',
};

export class EraTransport<Message> {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  /** Everything that came up, to look at. */
  readonly frames: Frame[] = [];
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  async start(): Promise<void> {
    this.#channel.listen({
      frame: (frame) => this.#take(frame),
      failed: (id, failure) => this.#take(toFailureFrame(id, failure)),
      renewed: () => {},
      closed: () => this.onclose?.(),
    });
  }

  async send(message: Message): Promise<void> {
    const read = readClientFrame(Buffer.from(JSON.stringify(message)), CALLER);
    if (read.kind === 'refused') throw new Error(read.problem.detail);
    this.#channel.send(read.frame);
  }

  async close(): Promise<void> {
    await this.#channel[Symbol.asyncDispose]();
    this.onclose?.();
  }

  #take(frame: Frame): void {
    this.frames.push(frame);
    const text = Buffer.from(frame.bytes).toString('utf8');
    // One at a time: the SDK of 2025 loses a progress that comes together with its answer.
    setImmediate(() => this.onmessage?.(JSON.parse(text) as Message));
  }
}
