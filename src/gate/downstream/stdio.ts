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
import { INTERNAL, isId, isResponse } from '../protocol/frame.ts';
import { InFlight } from '../protocol/in-flight.ts';
import { toFailureFrame, toRefusalFrame } from '../protocol/failure-frame.ts';
import { Lines, Outbox } from '../protocol/lines.ts';
import type { RefusedMessage } from '../protocol/read-frame.ts';
import { MESSAGE_LIMIT, readClientFrame } from '../protocol/read-frame.ts';

interface StdioDownstreamOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  readonly principal?: Principal;
  /** Told of messages that are refused here, so that calls among them are recorded. */
  readonly refused?: (message: RefusedMessage) => void;
}

interface StdioDownstream extends AsyncDisposable {
  /** Resolves when the client has gone; what it asked for before is answered until disposal ends. */
  readonly done: Promise<void>;
}

/** How long the last answers may take to be read, once there are no more. */
const FLUSH_MS = 1000;

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
  const inFlight = new InFlight(() => {});
  const { promise: done, resolve } = Promise.withResolvers<void>();
  channel.listen({
    frame: (frame) => {
      const { id, method } = frame.message;
      if (isResponse(frame) && isId(id)) {
        const isCancelled = inFlight.isCancelled(id);
        inFlight.settle(id);
        if (isCancelled) return;
      }
      if (method !== INTERNAL.streamClosed) outbox.add(frame.bytes);
    },
    failed: (id, failure) => {
      const isWanted = inFlight.isWanted(id);
      inFlight.settle(id);
      // Whoever cancelled expects no answer.
      if (isWanted) outbox.add(toFailureFrame(id, failure).bytes);
    },
    renewed: () => {},
    closed: resolve,
  });
  const take = (line: Buffer): void => {
    const reading = readClientFrame(line, caller);
    if (reading.kind === 'frame') {
      inFlight.see(reading.frame);
      return channel.send(reading.frame);
    }
    const refusal = toRefusalFrame(reading.id, reading.problem);
    // The server waits for this answer, and the client believes to have given it.
    if (reading.isResponse) return channel.send({ ...refusal, caller });
    options.refused?.({ caller, problem: reading.problem, calls: reading.calls });
    return outbox.add(refusal.bytes);
  };
  const read = (chunk: Buffer): void => {
    let complete: readonly Buffer[];
    try {
      complete = lines.push(chunk);
    } catch {
      // Nothing behind an endless line can be found again.
      input.off('data', read);
      resolve();
      return;
    }
    for (const line of complete) take(line);
  };
  const finish = (): void => {
    for (const line of lines.end()) take(line);
    resolve();
  };
  input.on('data', read);
  input.once('end', finish);
  input.on('error', () => resolve());
  output.on('error', () => resolve());
  return {
    done,
    [Symbol.asyncDispose]: async () => {
      input.off('data', read);
      input.off('end', finish);
      await channel[Symbol.asyncDispose]();
      outbox.flush();
      await written(output);
    },
  };
}

/** Resolves when all that was written has left, or the reader has stopped reading. */
function written(output: Writable): Promise<void> {
  if (output.writableLength === 0 || output.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FLUSH_MS);
    output.write('', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
