/**
 * A server behind a channel that keeps the contract, while the server itself does as it likes: it answers
 * late, twice, out of order or never, refuses, dies, changes its tools. It counts what really happened.
 */
import type { Channel, Failure, Listener } from '../../src/gate/protocol/channel.ts';
import type { Frame, JsonObject, RpcId, RpcMessage } from '../../src/gate/protocol/frame.ts';
import { isId, toFrame } from '../../src/gate/protocol/frame.ts';
import { isObject } from '../../src/gate/protocol/read-frame.ts';

/** A call that reached the server. */
export interface Arrived {
  readonly id: RpcId;
  readonly tool: string;
  readonly item: string;
  readonly key: string | undefined;
}

interface UnrulyOptions {
  readonly toTools: (version: number) => readonly JsonObject[];
  readonly keyOf: (params: JsonObject) => string | undefined;
  /** Whether it has one effect for one key. */
  readonly dedups: boolean;
  readonly graceMs: number;
}

const CAPABILITIES = { tools: { listChanged: true } };

export class UnrulyServer implements Channel {
  /** What happened, in order: one for each effect. */
  readonly effects: Arrived[] = [];
  /** Every call that was sent, answered or not. */
  readonly arrived: Arrived[] = [];
  readonly #options: UnrulyOptions;
  readonly #open = new Map<RpcId, Arrived | undefined>();
  readonly #timers = new Map<RpcId, NodeJS.Timeout>();
  #listener: Listener | undefined;
  #version = 1;
  #isClosed = false;

  constructor(options: UnrulyOptions) {
    this.#options = options;
  }

  /** Calls that wait for an answer. */
  get waiting(): readonly Arrived[] {
    return [...this.#open.values()].flatMap((each) => each ?? []);
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send({ bytes }: Frame): void {
    if (this.#isClosed) return;
    const message = JSON.parse(Buffer.from(bytes).toString('utf8')) as RpcMessage;
    const { id, method, params = {} } = message;
    if (method === 'notifications/cancelled') this.#cancel(params['requestId']);
    if (method === undefined || !isId(id)) return;
    if (this.#open.has(id)) throw new Error(`${id} is in flight already`);
    const call = method === 'tools/call' ? this.#toArrived(id, params) : undefined;
    this.#open.set(id, call);
    if (call !== undefined) this.arrived.push(call);
    else setImmediate(() => this.#greet(id, method));
  }

  /** Runs a call and answers it. */
  answer(call: Arrived, result: JsonObject = { content: [] }): void {
    this.run(call);
    this.say({ id: call.id, result });
  }

  /** The effect, without an answer. */
  run(call: Arrived): void {
    const { key } = call;
    const isDone = key !== undefined && this.effects.some((effect) => effect.key === key);
    if (!this.#options.dedups || !isDone) this.effects.push(call);
  }

  /** An answer to what is not in flight is passed on, as no channel of ours would. */
  say(message: JsonObject): void {
    const { id, method } = message;
    if (this.#isClosed) return;
    if (method === undefined && isId(id)) this.#settle(id);
    this.#listener?.frame(toFrame({ jsonrpc: '2.0', ...message }));
  }

  fail(id: RpcId, failure: Failure): void {
    if (!this.#open.has(id)) return;
    this.#settle(id);
    this.#listener?.failed(id, failure);
  }

  /** Everything in flight is lost; some of it was done before. */
  die(changesTools: boolean, isDone: (call: Arrived) => boolean): void {
    if (this.#isClosed) return;
    if (changesTools) this.#version += 1;
    this.#loseAll('the server ended', isDone);
    this.#listener?.renewed();
  }

  changeTools(): void {
    this.#version += 1;
    this.say({ method: 'notifications/tools/list_changed' });
  }

  /** For good, without being asked to. */
  close(isDone: (call: Arrived) => boolean = () => false): void {
    if (this.#isClosed) return;
    this.#loseAll('the server ended', isDone);
    this.#isClosed = true;
    this.#listener?.closed();
  }

  /** What it still had in hand was done, though nobody hears of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close(() => true);
  }

  #loseAll(detail: string, isDone: (call: Arrived) => boolean): void {
    const open = [...this.#open]; // whoever is told may send something new
    for (const [id, call] of open) {
      if (call !== undefined && isDone(call)) this.run(call);
      this.fail(id, { kind: 'lost', detail });
    }
  }

  #cancel(id: unknown): void {
    if (!isId(id) || !this.#open.has(id) || this.#timers.has(id)) return;
    const lose = (): void => this.fail(id, { kind: 'lost', detail: 'it was cancelled' });
    this.#timers.set(id, setTimeout(lose, this.#options.graceMs));
  }

  #settle(id: RpcId): void {
    this.#open.delete(id);
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  #toArrived(id: RpcId, params: JsonObject): Arrived {
    const { name, arguments: args } = params;
    const item = isObject(args) ? args['item'] : undefined;
    const key = this.#options.keyOf(params);
    return {
      id,
      tool: typeof name === 'string' ? name : '',
      item: typeof item === 'string' ? item : '',
      key,
    };
  }

  #greet(id: RpcId, method: string): void {
    if (!this.#open.has(id)) return;
    switch (method) {
      case 'initialize':
        return this.say({
          id,
          result: {
            protocolVersion: '2025-11-25',
            capabilities: CAPABILITIES,
            serverInfo: { name: 'unruly', version: '1' },
          },
        });
      case 'tools/list':
        return this.say({ id, result: { tools: [...this.#options.toTools(this.#version)] } });
      default:
        return this.say({ id, result: {} });
    }
  }
}
