/** A server of the tests as a channel: it keeps every frame that reached it and answers as it is told. */
import type { Channel, Failure, Listener } from '../../src/gate/protocol/channel.ts';
import type { Frame, JsonObject, RpcId, RpcMessage } from '../../src/gate/protocol/frame.ts';
import { isId, toFrame } from '../../src/gate/protocol/frame.ts';
import { isObject } from '../../src/gate/protocol/read-frame.ts';

/** `silence` leaves the request open. */
export type Reply =
  | { readonly result: JsonObject }
  | { readonly error: JsonObject }
  | { readonly failure: Failure }
  | 'silence';

export interface ServerScript {
  readonly tools: readonly JsonObject[];
  /** Default: a text result that names the tool. */
  readonly run?: (name: string, params: JsonObject) => Reply;
  /** Whether the server says that it tells of changed lists. */
  readonly listChanged?: boolean;
  /** What becomes of requests for the list. Default: all tools on one page. */
  readonly lists?: Reply;
  /** Knows no revision after 2025. */
  readonly isOld?: boolean;
}

const INFO = { name: 'recording', version: '1' };

export class RecordingServer implements Channel {
  readonly received: Frame[] = [];
  script: ServerScript;
  #listener: Listener | undefined;

  constructor(script: ServerScript) {
    this.script = script;
  }

  /** The tools that were called, in order. */
  get ran(): readonly string[] {
    return this.calls.map(({ name }) => toName(name));
  }

  /** The `params` of every call that arrived. */
  get calls(): readonly JsonObject[] {
    return this.#of('tools/call').map(({ message }) => message.params ?? {});
  }

  count(method: string): number {
    return this.#of(method).length;
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send({ bytes }: Frame): void {
    // A server reads bytes; what the gate thinks that they say is not for it to see.
    const message = JSON.parse(Buffer.from(bytes).toString('utf8')) as RpcMessage;
    this.received.push({ bytes, message });
    const { id, method, params = {} } = message;
    if (method === undefined || !isId(id)) return;
    const reply = this.#reply(method, params);
    // Answers never come within the turn in which they were asked for.
    setImmediate(() => this.#answer(id, reply));
  }

  /** The id under which the last call of this tool arrived. */
  idOf(name: string): RpcId {
    const frame = this.#of('tools/call').findLast(
      ({ message }) => message.params?.['name'] === name,
    );
    if (!isId(frame?.message.id)) throw new Error(`${name} was not called`);
    return frame.message.id;
  }

  /** Answers the last call of a tool that was left open. */
  answer(name: string, result: JsonObject): void {
    this.#listener?.frame(toFrame({ jsonrpc: '2.0', id: this.idOf(name), result }));
  }

  /** Answers the last request for the list that was left open. */
  answerList(): void {
    const { id } = this.#of('tools/list').at(-1)?.message ?? {};
    if (isId(id)) this.#answer(id, this.#reply('tools/list', {}));
  }

  fail(name: string, failure: Failure): void {
    this.#listener?.failed(this.idOf(name), failure);
  }

  /** Another process takes its place. */
  renew(script: ServerScript = this.script): void {
    this.script = script;
    this.#listener?.renewed();
  }

  /** Something that the server says unasked, or as text with an odd spelling. */
  say(message: JsonObject | string): void {
    const frame =
      typeof message === 'string'
        ? { bytes: Buffer.from(message), message: JSON.parse(message) as JsonObject }
        : toFrame(message);
    this.#listener?.frame(frame);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener?.closed();
  }

  #of(wanted: string): readonly Frame[] {
    return this.received.filter(({ message: { method } }) => method === wanted);
  }

  #reply(method: string, params: JsonObject): Reply {
    const { tools, run, listChanged = false, isOld = false } = this.script;
    const capabilities = { tools: { listChanged } };
    switch (method) {
      case 'initialize':
        return { result: { protocolVersion: '2025-11-25', capabilities, serverInfo: INFO } };
      case 'server/discover':
        if (isOld) return { error: { code: -32_601, message: 'no such method' } };
        return { result: { supportedVersions: ['2026-07-28'], capabilities, serverInfo: INFO } };
      case 'tools/list':
        return this.script.lists ?? { result: { tools } };
      case 'tools/call': {
        const name = toName(params['name']);
        return run?.(name, params) ?? { result: toText(`${name} ran`) };
      }
      case 'subscriptions/listen':
        return 'silence';
      default:
        return { result: {} };
    }
  }

  #answer(id: RpcId, reply: Reply): void {
    if (reply === 'silence') return;
    if ('failure' in reply) this.#listener?.failed(id, reply.failure);
    else this.#listener?.frame(toFrame({ jsonrpc: '2.0', id, ...reply }));
  }
}

function toName(name: unknown): string {
  return typeof name === 'string' ? name : JSON.stringify(name);
}

export function toText(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

/** A definition with parameters that are all text. */
export function toTool(
  name: string,
  description: string,
  parameters: readonly string[] = [],
  more: JsonObject = {},
): JsonObject {
  const properties = Object.fromEntries(parameters.map((each) => [each, { type: 'string' }]));
  return { name, description, inputSchema: { type: 'object', properties }, ...more };
}

export function problemIn(answer: JsonObject): JsonObject {
  const { result } = answer;
  const problem = isObject(result) ? result['structuredContent'] : undefined;
  return isObject(problem) ? problem : {};
}
