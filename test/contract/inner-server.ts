/**
 * A scripted server of either era as the inner channel of one that wraps another: answers handshakes,
 * keeps calls until the suite has them answered, and says whatever it is told to, also what the contract
 * forbids a channel to say.
 */
import type { Channel, Listener } from '../../src/gate/protocol/channel.ts';
import type { Frame, JsonObject, RpcId } from '../../src/gate/protocol/frame.ts';
import { isId } from '../../src/gate/protocol/frame.ts';
import { isObject, readServerFrame } from '../../src/gate/protocol/read-frame.ts';
import type { ScriptedServer } from './witness.ts';

const CAPABILITIES: JsonObject = { tools: { listChanged: true } };
const SERVER_INFO: JsonObject = { name: 'scripted', version: '1' };

function toTool(name: string, description: string): JsonObject {
  const properties = { tag: { type: 'string' } };
  return { name, description, inputSchema: { type: 'object', properties } };
}

const TOOLS: readonly JsonObject[] = Object.freeze([
  toTool('echo', 'Gives the text back.'),
  toTool('get_note', 'Gives one note.'),
  toTool('add_note', 'Adds a note.'),
  toTool('place_order', 'Places an order and charges the account.'),
]);

export class InnerServer implements Channel, ScriptedServer {
  readonly sent: Frame[] = [];
  readonly #era: 'modern' | 'legacy';
  readonly #seen = new Map<string, RpcId>();
  readonly #open = new Set<RpcId>();
  #listener: Listener | undefined;
  #isClosed = false;

  constructor(era: 'modern' | 'legacy') {
    this.#era = era;
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send(frame: Frame): void {
    this.sent.push(frame);
    const { id, method, params } = frame.message;
    if (!isId(id) || method === undefined) return;
    this.#open.add(id);
    if (method === 'tools/call') {
      const given = params?.['arguments'];
      const tag = isObject(given) ? given['tag'] : undefined;
      if (typeof tag === 'string') this.#seen.set(tag, id);
    } else if (method !== 'subscriptions/listen') {
      const answer = this.#greet(method);
      queueMicrotask(() => this.say({ id, ...answer }));
    }
  }

  seen(tag: string): RpcId | undefined {
    return this.#seen.get(tag);
  }

  say(message: JsonObject): void {
    const frame = readServerFrame(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
    if (frame === undefined || this.#isClosed) return;
    if (message['method'] === undefined && isId(message['id'])) this.#open.delete(message['id']);
    this.#listener?.frame(frame);
  }

  die(): void {
    if (this.#isClosed) return;
    const failed = [...this.#open];
    this.#open.clear();
    this.#seen.clear();
    for (const id of failed) this.#listener?.failed(id, { kind: 'lost', detail: 'it died' });
    this.#listener?.renewed();
  }

  /** Ends without a word about what is in flight. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listener?.closed();
  }

  #greet(method: string): JsonObject {
    const isModern = this.#era === 'modern';
    if (method === 'server/discover' && isModern) {
      const _meta = { 'io.modelcontextprotocol/serverInfo': SERVER_INFO };
      const supportedVersions = ['2026-07-28'];
      const more = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta };
      return { result: { ...more, supportedVersions, capabilities: CAPABILITIES } };
    }
    if (method === 'initialize' && !isModern) {
      const protocolVersion = '2025-11-25';
      const result = { protocolVersion, capabilities: CAPABILITIES, serverInfo: SERVER_INFO };
      return { result };
    }
    if (method === 'tools/list') {
      const more = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
      return { result: { tools: [...TOOLS], ...more } };
    }
    if (method === 'ping' || method === 'logging/setLevel') return { result: {} };
    return { error: { code: -32_601, message: `${method} is not served here` } };
  }
}
