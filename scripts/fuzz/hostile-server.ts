/**
 * A server in memory that answers, lies and rambles, and checks every byte that reaches it: a call of a
 * tool that asks, of an unlisted one, or an ambiguous message is a wrong allow.
 */
import type { Channel, Failure, Listener } from '../../src/gate/protocol/channel.ts';
import type { Frame, JsonObject, RpcId } from '../../src/gate/protocol/frame.ts';
import { isId } from '../../src/gate/protocol/frame.ts';
import { readServerFrame } from '../../src/gate/protocol/read-frame.ts';
import type { JsonValue } from '../../src/lib/json-value.ts';
import type { Chance } from './chance.ts';
import { LOOKS, toOdd } from './client-messages.ts';
import { readAll } from './readings.ts';
import { GOOD_TOOLS, toHostileTools } from './hostile-tools.ts';

/** Deeper than a stack is. */
function toDeep(chance: Chance): string {
  const depth = chance.pick([1000, 20_000, 200_000]);
  return chance.oneIn(2)
    ? '['.repeat(depth) + ']'.repeat(depth)
    : `${'{"anyOf":['.repeat(depth)}1${']}'.repeat(depth)}`;
}

/** In questions of the server, so that the host of the fuzz run accepts these and no others. */
export const OWN_QUESTION = 'a question of the server';

export class HostileServer implements Channel {
  readonly #chance: Chance;
  readonly #wrong: (bytes: Uint8Array, why: string) => void;
  #listener: Listener | undefined;
  /** Ids of the gate seen so far; the next ones can be guessed. */
  #gateId: string | undefined;
  #isHonest = true;
  #waiting: (() => void)[] = [];
  /** Requests that it left without an answer, or answered under another id. */
  readonly #open = new Set<RpcId>();

  constructor(chance: Chance, wrong: (bytes: Uint8Array, why: string) => void) {
    this.#chance = chance;
    this.#wrong = wrong;
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send({ bytes, message }: Frame): void {
    this.#check(bytes);
    const { id, method } = message;
    if (method === undefined || !isId(id)) return;
    this.#open.add(id);
    if (typeof id === 'string' && id.startsWith('plimsoll-')) this.#gateId = id;
    if (this.#chance.oneIn(300)) {
      const kind = this.#chance.pick(['lost', 'not-sent', 'refused'] as const);
      this.#waiting.push(() => this.#fail(id, kind));
      return;
    }
    if (this.#chance.oneIn(50)) return;
    this.#waiting.push(() => this.#say(this.#toAnswer(id, method)));
  }

  /** Sends what is queued; called between the client's messages. */
  turn(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) each();
    if (this.#chance.oneIn(20)) this.#ramble();
  }

  /** As a real channel would when its server has ended: nothing stays open. */
  settle(): void {
    for (const id of this.#open) this.#fail(id, 'lost');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener?.closed();
  }

  #fail(id: RpcId, kind: Failure['kind']): void {
    if (this.#open.delete(id)) this.#listener?.failed(id, { kind, detail: 'fuzz' });
  }

  #check(bytes: Uint8Array): void {
    const text = Buffer.from(bytes).toString('utf8');
    const { called, hasTwins } = readAll(text);
    if (hasTwins) this.#wrong(bytes, 'a duplicate key');
    for (const [name, way] of called) {
      if (!LOOKS.includes(name)) this.#wrong(bytes, `read ${way} it calls`);
    }
    if (text.includes('\uFFFD')) this.#wrong(bytes, 'not UTF-8');
  }

  #say(message: JsonValue | string): void {
    let text = typeof message === 'string' ? message : JSON.stringify(message);
    if (this.#chance.oneIn(300)) text = text.replace('"string"', toDeep(this.#chance));
    const frame = readServerFrame(Buffer.from(text));
    if (frame === undefined) return;
    const { id, method } = frame.message;
    if (method === undefined && isId(id)) this.#open.delete(id);
    this.#listener?.frame(frame);
  }

  #toAnswer(id: RpcId, method: string): JsonValue {
    const chance = this.#chance;
    const result = chance.oneIn(25) ? toOdd(chance) : this.#toResult(method);
    if (chance.oneIn(40)) return { jsonrpc: '2.0', id, error: toOdd(chance) };
    return { jsonrpc: '2.0', id: chance.oneIn(60) ? toOdd(chance) : id, result };
  }

  #toResult(method: string): JsonObject {
    switch (method) {
      case 'initialize':
      case 'server/discover': {
        const capabilities = { tools: { listChanged: this.#chance.oneIn(2) } };
        return { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'f' } };
      }
      case 'tools/list': {
        this.#isHonest = !this.#chance.oneIn(4);
        const tools = this.#isHonest ? GOOD_TOOLS : toHostileTools(this.#chance);
        const page = this.#chance.oneIn(12) ? { nextCursor: 'more' } : {};
        return { tools, ...page, ...(this.#chance.oneIn(8) && { ttlMs: toOdd(this.#chance) }) };
      }
      default:
        return { content: [{ type: 'text', text: '{"total": 1}' }] };
    }
  }

  #ramble(): void {
    const chance = this.#chance;
    switch (chance.below(7)) {
      case 0:
        for (let storm = chance.below(20); storm > 0; storm -= 1)
          this.#notify('tools/list_changed');
        return;
      case 1:
        return this.#say({ jsonrpc: '2.0', id: chance.below(100), result: toOdd(chance) });
      case 2:
        return this.#notify('subscriptions/acknowledged');
      case 3:
      case 4:
        return this.#askAsGate();
      case 5:
        return this.#say({ jsonrpc: '2.0', id: toOdd(chance), method: toOdd(chance) });
      default:
        return this.#say(chance.pick(['{"jsonrpc":"2.0"', '[]', 'null', '{"id":1,"id":2}', 'x']));
    }
  }

  #notify(what: string): void {
    const params = this.#chance.oneIn(4)
      ? { _meta: { 'io.modelcontextprotocol/subscriptionId': this.#gateId ?? 'x' } }
      : {};
    this.#say({ jsonrpc: '2.0', method: `notifications/${what}`, params });
  }

  /** A question under an id that the gate may have given to one of its own. */
  #askAsGate(): void {
    const [, prefix = 'plimsoll-0-', serial = '0'] = /^(.*-)(\d+)$/.exec(this.#gateId ?? '') ?? [];
    const decision = { type: 'string', enum: ['no', 'approve once'] };
    for (let ahead = 0; ahead < 4; ahead += 1) {
      this.#say({
        jsonrpc: '2.0',
        id: `${prefix}${Number(serial) + ahead}`,
        method: 'elicitation/create',
        params: { message: OWN_QUESTION, requestedSchema: { properties: { decision } } },
      });
    }
  }
}
