/** Both ends of the wire in the hands of a test: a server that says what it is told to, and a client that listens. */
import type { Channel, Failure, Listener } from '../../src/gate/protocol/channel.ts';
import type { Caller, Frame, JsonObject, RpcId } from '../../src/gate/protocol/frame.ts';
import { isObject, readClientFrame, readServerFrame } from '../../src/gate/protocol/read-frame.ts';

export const ADA: Caller = {
  principal: { id: 'ada', scopes: [] },
  session: 'session-ada',
  via: 'mcp-http',
};

export const BOB: Caller = { ...ADA, principal: { id: 'bob', scopes: [] }, session: 'session-bob' };

export class ScriptedChannel implements Channel {
  readonly sent: Frame[] = [];
  /** Whether it answers with a stream of events, where JSON would do. */
  saysEvents = false;
  #listener: Listener | undefined;

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send(frame: Frame): void {
    this.sent.push(frame);
  }

  /** As the server; text is taken as it is. */
  say(message: JsonObject | string, about?: RpcId): Frame {
    const text =
      typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message });
    const read = readServerFrame(Buffer.from(text), about);
    if (read === undefined) throw new Error('no message');
    const frame = this.saysEvents ? { ...read, isEvent: true } : read;
    this.#listener?.frame(frame);
    return frame;
  }

  /** Answers the last request of this method that was sent. */
  answer(method: string, answer: JsonObject, about?: RpcId): Frame {
    return this.say({ id: this.last(method).id, ...answer }, about);
  }

  fail(method: string, failure: Failure): void {
    this.#listener?.failed(this.last(method).id, failure);
  }

  /** A new server takes the place of this one; what is in flight has to be settled before. */
  renew(): void {
    this.#listener?.renewed();
  }

  last(method: string): { readonly id: RpcId; readonly params: JsonObject } {
    const frame = this.sent.findLast(({ message }) => message.method === method);
    if (frame === undefined) throw new Error(`no ${method} was sent`);
    return { id: frame.message.id ?? '', params: frame.message.params ?? {} };
  }

  /** What was sent, as bytes say it. */
  get lines(): readonly string[] {
    return this.sent.map(toLine);
  }

  get methods(): readonly (string | undefined)[] {
    return this.sent.map(({ message }) => message.method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener?.closed();
  }
}

export class ScriptedClient implements Listener {
  readonly frames: Frame[] = [];
  readonly failures: { readonly id: RpcId; readonly failure: Failure }[] = [];
  isClosed = false;
  renewals = 0;
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.listen(this);
  }

  send(message: JsonObject | string, caller: Caller = ADA): Frame {
    const text =
      typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message });
    const read = readClientFrame(Buffer.from(text), caller);
    if (read.kind === 'refused') throw new Error(read.problem.detail);
    this.#channel.send(read.frame);
    return read.frame;
  }

  frame(frame: Frame): void {
    this.frames.push(frame);
  }

  failed(id: RpcId, failure: Failure): void {
    this.failures.push({ id, failure });
  }

  renewed(): void {
    this.renewals += 1;
  }

  closed(): void {
    this.isClosed = true;
  }

  /** The bytes of the last frame, read again: what a client would see. */
  get heard(): JsonObject {
    const frame = this.frames.at(-1);
    if (frame === undefined) throw new Error('nothing was heard');
    const value: unknown = JSON.parse(toLine(frame));
    if (!isObject(value)) throw new Error('no message');
    return value;
  }

  get result(): JsonObject {
    const { result } = this.heard;
    if (!isObject(result)) throw new Error(`no result: ${JSON.stringify(this.heard)}`);
    return result;
  }

  get errorCode(): unknown {
    const { error } = this.heard;
    return isObject(error) ? error['code'] : undefined;
  }
}

export function toLine({ bytes }: Frame): string {
  return Buffer.from(bytes).toString('utf8');
}

/** What a request of 2026 carries. */
export function toMeta(capabilities: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
    ...more,
  };
}

/** Until what a channel may not say before `send` returns has been said. */
export async function turn(): Promise<void> {
  await Promise.resolve();
}
