/** One run of the real gate between a client and people that do as they are told, and a server that does as it likes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CALL_META_KEYS } from '../../src/effect/meta-keys.ts';
import type { GateServices } from '../../src/gate/gate-services.ts';
import { openServices, toContext } from '../../src/gate/open-services.ts';
import { openGate } from '../../src/gate/call/open-gate.ts';
import { toPolicy } from '../../src/gate/policy/to-policy.ts';
import type { Channel, Listener } from '../../src/gate/protocol/channel.ts';
import type { Frame, JsonObject, RpcId } from '../../src/gate/protocol/frame.ts';
import { INTERNAL, isId, toFrame } from '../../src/gate/protocol/frame.ts';
import { isObject } from '../../src/gate/protocol/read-frame.ts';
import type { OpenLedger } from '../../src/ledger/open-ledger.ts';
import { toTool } from './recording-server.ts';
import { ADA } from './scripted-channel.ts';
import type { Arrived } from './unruly-server.ts';
import { UnrulyServer } from './unruly-server.ts';

const GRACE_MS = 5;
export const TOOLS = ['get_note', 'add_note', 'place_order', 'delete_note'] as const;
const KEY = CALL_META_KEYS.idempotencyKey.key;

function toTools(version: number): readonly JsonObject[] {
  const tell = (text: string): string => `${text} This is version ${version}.`;
  return [
    toTool('get_note', tell('Reads a note.'), ['item']),
    toTool('add_note', tell('Adds a note.'), ['item']),
    toTool('place_order', tell('Places a paid order and charges the card.'), ['item']),
    toTool('estimate_order', tell('Tells what an order would cost. Read-only.'), ['item']),
    toTool('delete_note', tell('Deletes a note for good.'), ['item']),
  ];
}

export interface Setting {
  /** What costs or deletes: runs at once, or asks, and then holds the call for so long. */
  readonly asks: 'never' | 'and comes back' | 'and holds';
  readonly attempts: number;
  readonly dedups: boolean;
  readonly canElicit: boolean;
}

export type Act =
  | { readonly kind: 'call'; readonly tool: (typeof TOOLS)[number]; readonly item: string }
  | { readonly kind: 'keyed'; readonly key: string }
  | { readonly kind: (typeof ACTS)[number]; readonly which: number };

/** What the server does with a call that it has. */
const SERVED = [
  'answer',
  'answer',
  'twice',
  'ask-back',
  'error',
  'not-sent',
  'refuse',
  'lose',
  'lose-done',
] as const;
/** What else may happen. */
const EVENTS = [
  'stray',
  'die',
  'die-done',
  'die-changed',
  'change',
  'close',
  'cancel',
  'gone',
  'yes',
  'yes',
  'no',
  'form-yes',
  'list',
  'ping',
  'wait',
] as const;
export const ACTS = [...SERVED, ...EVENTS] as const;

export class UnrulyRun implements Listener {
  readonly server: UnrulyServer;
  readonly services: GateServices;
  readonly reports: string[] = [];
  /** Requests by id, with how often each was settled. */
  readonly settled = new Map<RpcId, number>();
  readonly calls: RpcId[] = [];
  readonly faults: string[] = [];
  closings = 0;
  readonly #gate: Channel;
  readonly #forms: RpcId[] = [];
  #isSending = false;
  #serial = 0;

  constructor(ledger: OpenLedger, { asks, attempts, dedups, canElicit }: Setting) {
    const keyOf = (params: JsonObject): string | undefined => {
      const meta = params['_meta'];
      const key = isObject(meta) ? meta[KEY] : undefined;
      return typeof key === 'string' ? key : undefined;
    };
    this.server = new UnrulyServer({ toTools, keyOf, dedups, graceMs: GRACE_MS });
    this.services = openServices({
      ledger,
      policy: toPolicy({
        asking: {
          holdSeconds: asks === 'and holds' ? 30 : 0,
          channels: canElicit ? ['elicitation', 'terminal'] : ['terminal'],
        },
        retries: { attempts, baseMs: 1, capMs: 2 },
        // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
        ...(asks === 'never' && { rules: [{ name: 'all', then: 'allow' }] }),
      }),
      report: (message, cause) => {
        this.reports.push(cause instanceof Error ? `${message}: ${cause.message}` : message);
      },
    });
    const context = toContext(this.services, {
      server: 'shop',
      ...(dedups && { idempotency: { meta: true } }),
    });
    this.#gate = openGate(this.server, context, { readMs: GRACE_MS, otherMs: GRACE_MS });
    this.#gate.listen(this);
    const capabilities = canElicit ? { elicitation: {} } : {};
    this.request('initialize', { protocolVersion: '2025-11-25', capabilities });
  }

  send(message: JsonObject): void {
    this.#isSending = true;
    this.#gate.send({ ...toFrame({ jsonrpc: '2.0', ...message }), caller: ADA });
    this.#isSending = false;
  }

  request(method: string, params: JsonObject): RpcId {
    this.#serial += 1;
    this.settled.set(this.#serial, 0);
    this.send({ id: this.#serial, method, params });
    return this.#serial;
  }

  /** Once the channel has told its end, nobody uses it any more. */
  async act(act: Act): Promise<void> {
    if (this.closings > 0) return;
    if (act.kind === 'call') {
      const { tool, item } = act;
      this.calls.push(this.request('tools/call', { name: tool, arguments: { item } }));
      return;
    }
    if (act.kind === 'keyed') {
      const params = {
        name: 'place_order',
        arguments: { item: act.key },
        _meta: { [KEY]: act.key },
      };
      this.calls.push(this.request('tools/call', params));
      return;
    }
    await this.#do(act.kind, act.which);
  }

  /** Gives everybody time to go on, as far as they can without another act. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 12; turns += 1) await new Promise<void>(setImmediate);
  }

  async #do(kind: (typeof ACTS)[number], which: number): Promise<void> {
    const { waiting } = this.server;
    const call = waiting[which % Math.max(1, waiting.length)];
    const mine = this.calls[which % Math.max(1, this.calls.length)];
    if (isServed(kind)) return call && this.#serve(kind, call);
    switch (kind) {
      case 'stray': {
        // Under an id that the client has in flight, but that is not upstream.
        const id = this.calls.at(-1) ?? 'never';
        if (!waiting.some((each) => each.id === id)) this.server.say({ id, result: {} });
        return undefined;
      }
      case 'die':
      case 'die-done':
      case 'die-changed':
        return this.server.die(kind === 'die-changed', () => kind === 'die-done');
      case 'change':
        return this.server.changeTools();
      case 'close':
        return this.server.close();
      case 'cancel':
      case 'gone': {
        const method = kind === 'gone' ? INTERNAL.callerGone : 'notifications/cancelled';
        if (mine !== undefined) this.send({ method, params: { requestId: mine } });
        return undefined;
      }
      case 'yes':
      case 'no':
        return this.#decide(kind === 'yes' ? 'approve' : 'decline');
      case 'form-yes': {
        const id = this.#forms.shift();
        const content = { decision: 'approve once' };
        if (id !== undefined) this.send({ id, result: { action: 'accept', content } });
        return undefined;
      }
      case 'list':
        return void this.request('tools/list', {});
      case 'ping':
        return void this.request('ping', {});
      case 'wait':
        return sleep(which);
    }
  }

  #serve(kind: (typeof SERVED)[number], call: Arrived): void {
    const { id } = call;
    switch (kind) {
      case 'answer':
        return this.server.answer(call);
      case 'twice':
        this.server.answer(call);
        return this.server.say({ id, result: { content: [] } });
      case 'ask-back':
        return this.server.say({ id, result: { resultType: 'input_required', inputRequests: {} } });
      case 'error':
        return this.server.say({ id, error: { code: -32_603, message: 'oh' } });
      case 'not-sent':
        return this.server.fail(id, { kind, detail: 'no connection' });
      case 'refuse':
        return this.server.fail(id, { kind: 'refused', detail: 'busy', status: 429 });
      case 'lose':
      case 'lose-done':
        if (kind === 'lose-done') this.server.run(call);
        return this.server.fail(id, { kind: 'lost', detail: 'the line broke' });
    }
  }

  async #decide(kind: 'approve' | 'decline'): Promise<void> {
    const [question] = await this.services.approvals.listPending();
    if (question === undefined) return;
    const { id, display } = question;
    await this.services.approvals.answer(id, {
      kind,
      approver: 'mia',
      channel: 'terminal',
      display,
    });
  }

  async stop(): Promise<void> {
    await this.#gate[Symbol.asyncDispose]();
  }

  frame({ message: { id, method } }: Frame): void {
    this.#hear('a frame');
    if (method === 'elicitation/create' && isId(id)) this.#forms.push(id);
    if (method === undefined && isId(id)) this.#settle(id);
  }

  failed(id: RpcId): void {
    this.#hear('a failure');
    this.#settle(id);
  }

  renewed(): void {
    this.#hear('a renewal');
  }

  closed(): void {
    this.#hear('the end');
    this.closings += 1;
  }

  #hear(what: string): void {
    if (this.#isSending) this.faults.push(`${what} before send returned`);
    if (this.closings > 0) this.faults.push(`${what} after the end`);
  }

  #settle(id: RpcId): void {
    this.settled.set(id, (this.settled.get(id) ?? Number.NaN) + 1);
  }
}

function isServed(kind: (typeof ACTS)[number]): kind is (typeof SERVED)[number] {
  return (SERVED as readonly string[]).includes(kind);
}
