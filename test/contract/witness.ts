/** The client of the channel contract: writes down what it is told, and objects to what it must not be told. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Channel, Failure, Listener } from '../../src/gate/protocol/channel.ts';
import type { Caller, Frame, JsonObject, RpcId } from '../../src/gate/protocol/frame.ts';
import { isId, toFrame } from '../../src/gate/protocol/frame.ts';

/** The server behind the channel. It answers handshakes itself, and calls only when it is told to. */
export interface ScriptedServer {
  /** The id under which the server got the call with this tag, once it has arrived. */
  seen(tag: string): RpcId | undefined;
  /** Sends a message; one that the transport has no way for is dropped (an answer to a closed request). */
  say(message: JsonObject): void;
  /** Ends with everything that is in flight. */
  die(): void | Promise<void>;
}

export interface ChannelRig {
  readonly channel: Channel;
  readonly server: ScriptedServer;
  /** A request that reaches the server and carries the tag; without it a `tools/call` of 2025. */
  readonly toCall?: (id: RpcId, tag: string) => JsonObject;
  /** What a client sends first; requests in it are awaited. Without it the handshake of 2025. */
  readonly handshake?: readonly JsonObject[];
  /** How long the channel was told to wait after a cancel. */
  readonly graceMs: number;
  readonly caller?: Caller;
  /** The channel tells a client that waits what became of its request, instead of failing it. */
  readonly answersFailures?: boolean;
  /** Whoever takes the place of a server that died is not another one: nothing was known of it. */
  readonly isStateless?: boolean;
}

export const PATIENCE_MS = 5000;

export const LEGACY_HANDSHAKE: readonly JsonObject[] = Object.freeze([
  {
    id: 'hello',
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'contract', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
]);

export function toToolCall(id: RpcId, tag: string, name = 'echo'): JsonObject {
  return { id, method: 'tools/call', params: { name, arguments: { tag } } };
}

export class Witness implements Listener {
  readonly settled = new Map<RpcId, ('answer' | Failure)[]>();
  readonly faults: string[] = [];
  renewals = 0;
  closings = 0;
  #isSending = false;
  #isDisposed = false;
  readonly #rig: ChannelRig;
  readonly #sent = new Set<RpcId>();

  constructor(rig: ChannelRig) {
    this.#rig = rig;
    rig.channel.listen(this);
  }

  send(message: JsonObject): void {
    const frame = toFrame({ jsonrpc: '2.0', ...message });
    const { caller } = this.#rig;
    if (isId(message['id'])) this.#sent.add(message['id']);
    this.#isSending = true;
    this.#rig.channel.send(caller === undefined ? frame : { ...frame, caller });
    this.#isSending = false;
  }

  call(id: RpcId, tag: string = String(id)): void {
    this.send((this.#rig.toCall ?? toToolCall)(id, tag));
  }

  cancel(id: RpcId): void {
    this.send({ method: 'notifications/cancelled', params: { requestId: id } });
  }

  async begin(): Promise<this> {
    for (const message of this.#rig.handshake ?? LEGACY_HANDSHAKE) {
      this.send(message);
      const { id } = message;
      if (isId(id)) await until(`the handshake settles`, () => this.settled.has(id));
    }
    return this;
  }

  async dispose(): Promise<void> {
    await this.#rig.channel[Symbol.asyncDispose]();
    this.#isDisposed = true;
  }

  frame({ bytes, message }: Frame): void {
    this.#heard('a frame');
    const said: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (!isDeepStrictEqual({ jsonrpc: '2.0', ...message }, said)) {
      this.faults.push(`a frame whose message is not what its bytes say: ${JSON.stringify(said)}`);
    }
    if (message.method !== undefined) return;
    if (isId(message.id)) this.#settle(message.id, 'answer');
    else this.faults.push('an answer without an id');
  }

  failed(id: RpcId, failure: Failure): void {
    this.#heard('a failure');
    this.#settle(id, failure);
  }

  renewed(): void {
    this.#heard('a renewal');
    this.renewals += 1;
  }

  closed(): void {
    this.#heard('the end');
    this.closings += 1;
    const open = [...this.#sent].filter((id) => !this.settled.has(id));
    if (open.length > 0) this.faults.push(`closed with ${open.join(', ')} in flight`);
  }

  #heard(what: string): void {
    if (this.#isSending) this.faults.push(`${what} before send returned`);
    if (this.closings > 0) this.faults.push(`${what} after the end`);
    if (this.#isDisposed) this.faults.push(`${what} after disposal`);
  }

  #settle(id: RpcId, how: 'answer' | Failure): void {
    const before = this.settled.get(id) ?? [];
    this.settled.set(id, [...before, how]);
    if (!this.#sent.has(id)) this.faults.push(`${id} was settled but never sent`);
    else if (before.length > 0) this.faults.push(`${id} was settled ${before.length + 1} times`);
  }
}

export async function until(
  what: string,
  isSo: () => boolean,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`not in ${patienceMs} ms: ${what}`);
    await sleep(2);
  }
}
