/**
 * A client over standard input and output in front of a channel. The caller is the process that
 * started us and its user; whatever it sends that cannot be read is answered, not dropped.
 */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { Principal } from '../../effect/operation.ts';
import type { Channel } from '../protocol/channel.ts';
import type { Caller } from '../protocol/frame.ts';
import { INTERNAL } from '../protocol/frame.ts';
import { toFailureFrame, toRefusalFrame } from '../protocol/failure-frame.ts';
import { Lines, Outbox } from '../protocol/lines.ts';
import { MESSAGE_LIMIT, readClientFrame } from '../protocol/read-frame.ts';

interface StdioDownstreamOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  readonly principal?: Principal;
}

interface StdioDownstream extends AsyncDisposable {
  /** Resolves when the client has gone. */
  readonly done: Promise<void>;
}

export function openStdioDownstream(
  channel: Channel,
  options: StdioDownstreamOptions = {},
): StdioDownstream {
  const { input = process.stdin, output = process.stdout } = options;
  const caller: Caller = {
    principal: options.principal ?? { id: userInfo().username, scopes: [] },
    session: randomUUID(),
    via: 'mcp-stdio',
  };
  const outbox = new Outbox(output);
  const lines = new Lines(MESSAGE_LIMIT);
  const { promise: done, resolve } = Promise.withResolvers<void>();
  channel.listen({
    frame: (frame) => {
      if (frame.message.method !== INTERNAL.streamClosed) outbox.add(frame.bytes);
    },
    failed: (id, failure) => outbox.add(toFailureFrame(id, failure).bytes),
    renewed: () => {},
    closed: resolve,
  });
  const read = (chunk: Buffer): void => {
    let complete: readonly Buffer[];
    try {
      complete = lines.push(chunk);
    } catch {
      // Nothing behind an endless line can be found again.
      resolve();
      return;
    }
    for (const line of complete) {
      const reading = readClientFrame(line, caller);
      if (reading.kind === 'frame') channel.send(reading.frame);
      else outbox.add(toRefusalFrame(reading.id, reading.problem).bytes);
    }
  };
  input.on('data', read);
  input.once('end', resolve);
  input.once('error', resolve);
  output.once('error', resolve);
  return {
    done,
    [Symbol.asyncDispose]: async () => {
      input.off('data', read);
      outbox.flush();
      await channel[Symbol.asyncDispose]();
    },
  };
}
