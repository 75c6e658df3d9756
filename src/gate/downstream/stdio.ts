/**
 * A client over standard input and output in front of a channel. The caller is the process that
 * started us and its user; whatever it sends that cannot be read is answered, not dropped.
 */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { Principal } from '../../effect/operation.ts';
import type { Channel } from '../protocol/channel.ts';
import type { Caller, Frame, RpcId } from '../protocol/frame.ts';
import {
  INTERNAL,
  isId,
  isRequest,
  isResponse,
  toFailureFrame,
  toRefusalFrame,
} from '../protocol/frame.ts';
import { InFlight } from '../protocol/in-flight.ts';
import { Lines, Outbox } from '../protocol/lines.ts';
import type { Refusal, RefusedMessage } from '../protocol/read-frame.ts';
import {
  CLIENT_MESSAGE_LIMIT,
  isObject,
  readClientFrame,
  refuseTooLong,
  toCalledTools,
} from '../protocol/read-frame.ts';
import { hasBatches, isBatch, NO_BATCH, readMessages } from '../protocol/read-messages.ts';

interface StdioDownstreamOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  readonly principal?: Principal;
  /** Bytes of the largest message that is taken. Default: 4 MiB. */
  readonly messageLimit?: number;
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
  const { messageLimit = CLIENT_MESSAGE_LIMIT } = options;
  const lines = new Lines(messageLimit, (ends) => refuse(refuseTooLong(ends, messageLimit)));
  const inFlight = new InFlight(() => {});
  /** The revision that was agreed on. */
  let version: string | undefined;
  const { promise: done, resolve } = Promise.withResolvers<void>();
  channel.listen({
    frame: (frame) => {
      const { id, method } = frame.message;
      if (isResponse(frame) && isId(id)) {
        const isCancelled = inFlight.isCancelled(id);
        const request = inFlight.settle(id);
        if (request?.message.method === 'initialize') version = versionIn(frame);
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
  const refuse = ({ id, problem, isResponse: isAnswer, calls }: Refusal): void => {
    const refusal = toRefusalFrame(id, problem);
    // The server waits for this answer, and the client believes to have given it.
    if (isAnswer) return channel.send({ ...refusal, caller });
    options.refused?.({ caller, problem, calls });
    return outbox.add(refusal.bytes);
  };
  /** Nothing of a batch is sent unless all of it is; each of its requests is answered by itself. */
  const refuseBatch = (refusal: Refusal, ids: readonly RpcId[]): void => {
    const { problem, calls } = refusal;
    if (ids.length === 0) return refuse(refusal);
    options.refused?.({ caller, problem, calls });
    return ids.forEach((id) => outbox.add(toRefusalFrame(id, problem).bytes));
  };
  const send = (frame: Frame): void => {
    inFlight.see(frame);
    channel.send(frame);
  };
  const take = (line: Buffer): void => {
    if (isBatch(line)) return takeBatch(line);
    const reading = readClientFrame(line, caller, messageLimit);
    return reading.kind === 'refused' ? refuse(reading) : send(reading.frame);
  };
  const takeBatch = (line: Buffer): void => {
    const reading = readMessages(line, caller, messageLimit);
    if (reading.kind === 'refused') return refuseBatch(reading, reading.ids ?? []);
    const frames = reading.kind === 'batch' ? reading.frames : [];
    if (hasBatches(version)) return frames.forEach(send);
    const calls = toCalledTools(frames.map(({ message }) => message));
    const ids = frames.filter(isRequest).map(({ message }) => message.id);
    const refusal = { problem: NO_BATCH, id: null, isResponse: false, calls } as const;
    return refuseBatch({ kind: 'refused', ...refusal }, ids.filter(isId));
  };
  const read = (chunk: Buffer): void => lines.push(chunk).forEach(take);
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

function versionIn({ message: { result } }: Frame): string | undefined {
  const version = isObject(result) ? result['protocolVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
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
