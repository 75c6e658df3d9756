/**
 * What every channel must do, whatever is behind it. Each channel runs this suite against a server that
 * the suite scripts: it answers late, twice, out of order, never, or dies.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Channel, Failure, Listener } from '../../src/gate/protocol/channel.ts';
import type { Caller, Frame, JsonObject, RpcId } from '../../src/gate/protocol/frame.ts';
import { isId, toFrame } from '../../src/gate/protocol/frame.ts';

/** The server behind the channel. It answers handshakes itself, and calls only when it is told to. */
export interface ScriptedServer {
  /** The id under which the server got the call with this tag, once it has arrived. */
  seen(tag: string): RpcId | undefined;
  /** Sends a message; one that the transport has no way for is dropped (an answer to a closed request). */
  say(message: JsonObject): void;
  /** Ends with everything that is in flight. Left out where the server cannot die. */
  die?(): void | Promise<void>;
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
}

interface ContractOptions {
  /** Runs of the property; few for channels over real processes. */
  readonly runs?: number;
}

const PATIENCE_MS = 5000;

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

/** A client that writes down everything that it is told, and objects to what it must not be told. */
class Witness implements Listener {
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
    try {
      expect({ jsonrpc: '2.0', ...message }).toEqual(said);
    } catch {
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

async function until(what: string, isSo: () => boolean, patienceMs = PATIENCE_MS): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`not in ${patienceMs} ms: ${what}`);
    await sleep(2);
  }
}

export function channelContract(
  name: string,
  open: () => Promise<ChannelRig>,
  { runs = 60 }: ContractOptions = {},
): void {
  const begin = async (): Promise<{ rig: ChannelRig; witness: Witness }> => {
    const rig = await open();
    return { rig, witness: await new Witness(rig).begin() };
  };
  const arrive = async (server: ScriptedServer, tag: string): Promise<RpcId> => {
    await until(`${tag} arrives`, () => server.seen(tag) !== undefined);
    return server.seen(tag) ?? '';
  };
  const answer = (server: ScriptedServer, id: RpcId): void =>
    server.say({ id, result: { content: [] } });
  const end = async (witness: Witness, ids: readonly RpcId[]): Promise<void> => {
    await witness.dispose();
    await sleep(5);
    expect(witness.faults).toEqual([]);
    for (const id of ids) expect(witness.settled.get(id)).toHaveLength(1);
    expect(witness.closings).toBe(1);
  };

  describe(`the channel contract on ${name}`, () => {
    it('settles each request with its own answer, whatever their order', async () => {
      const { rig, witness } = await begin();
      witness.call('a');
      witness.call('b');
      const [a, b] = [await arrive(rig.server, 'a'), await arrive(rig.server, 'b')];
      answer(rig.server, b);
      await until('b is answered', () => witness.settled.has('b'));
      expect(witness.settled.has('a')).toBe(false);
      answer(rig.server, a);
      await until('a is answered', () => witness.settled.has('a'));
      expect([...witness.settled.values()].flat()).not.toContainEqual(expect.any(Object));
      await end(witness, ['a', 'b']);
    });

    it('drops a second answer and answers to what was never sent', async () => {
      const { rig, witness } = await begin();
      witness.call('a');
      witness.call('b');
      const [a, b] = [await arrive(rig.server, 'a'), await arrive(rig.server, 'b')];
      for (const id of ['never', 77_777, a, a]) answer(rig.server, id);
      answer(rig.server, b);
      await until('both are answered', () => witness.settled.has('a') && witness.settled.has('b'));
      await end(witness, ['a', 'b']);
    });

    it('settles a cancelled request by its late answer or as lost, and once', async () => {
      const { rig, witness } = await begin();
      witness.call('late');
      witness.call('never');
      const late = await arrive(rig.server, 'late');
      const never = await arrive(rig.server, 'never');
      witness.cancel('late');
      witness.cancel('never');
      answer(rig.server, late);
      await until(
        'both settle',
        () => witness.settled.has('late') && witness.settled.has('never'),
        rig.graceMs + PATIENCE_MS,
      );
      expect(witness.settled.get('never')).toEqual([expect.objectContaining({ kind: 'lost' })]);
      answer(rig.server, never);
      await sleep(5);
      await end(witness, ['late', 'never']);
    });

    it('settles what was cancelled right after it was sent', async () => {
      const { witness } = await begin();
      witness.call('a');
      witness.cancel('a');
      await until('it settles', () => witness.settled.has('a'));
      await end(witness, ['a']);
    });

    it('settles everything on disposal, also what was sent just before, then ends once', async () => {
      const { rig, witness } = await begin();
      witness.call('sent');
      await arrive(rig.server, 'sent');
      witness.call('just now');
      await Promise.all([witness.dispose(), rig.channel[Symbol.asyncDispose]()]);
      expect(() => witness.call('after')).not.toThrow();
      expect(witness.settled.has('after')).toBe(false);
      await end(witness, ['sent', 'just now']);
    });

    it('settles everything on disposal before the handshake is done', async () => {
      const rig = await open();
      const witness = new Witness(rig);
      witness.call('early');
      await end(witness, ['early']);
    });

    it('settles what a server that dies had in flight, then announces the next one or the end', async ({
      skip,
    }) => {
      const { rig, witness } = await begin();
      if (rig.server.die === undefined) {
        await witness.dispose();
        skip('the server behind this channel cannot die');
        return;
      }
      witness.call('a');
      witness.call('b');
      await arrive(rig.server, 'a');
      await arrive(rig.server, 'b');
      witness.cancel('b');
      await rig.server.die();
      await until('both settle', () => witness.settled.has('a') && witness.settled.has('b'));
      expect(witness.settled.get('a')).toEqual([expect.objectContaining({ kind: 'lost' })]);
      await until('it is told', () => witness.renewals + witness.closings > 0);
      if (witness.closings === 0) {
        witness.call('next');
        answer(rig.server, await arrive(rig.server, 'next'));
        await until('the next server answers', () => witness.settled.has('next'));
        expect(witness.settled.get('next')).toEqual(['answer']);
      }
      await end(witness, ['a', 'b']);
    });

    it('settles every request exactly once, whatever the server does and when', async () => {
      const step = fc.record({
        what: fc.constantFrom('call', 'answer', 'twice', 'stray', 'cancel', 'die', 'wait'),
        which: fc.nat(5),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 16 }), fc.boolean(), async (steps, isSlow) => {
          const { rig, witness } = await begin();
          const called: string[] = [];
          for (const { what, which } of steps) {
            const tag = called[which % Math.max(1, called.length)] ?? 'none';
            const id = rig.server.seen(tag);
            if (what === 'call') {
              called.push(`call-${called.length}`);
              witness.call(called.at(-1) ?? '');
            } else if (what === 'stray') answer(rig.server, `stray-${which}`);
            else if (what === 'cancel') witness.cancel(tag);
            else if (what === 'die') await rig.server.die?.();
            else if (what === 'wait') await sleep(1);
            else if (id !== undefined) {
              answer(rig.server, id);
              if (what === 'twice') answer(rig.server, id);
            }
            if (isSlow) await sleep(0);
          }
          await end(witness, called);
        }),
        { numRuns: runs, timeout: PATIENCE_MS, interruptAfterTimeLimit: 4 * PATIENCE_MS },
      );
    });
  });
}
