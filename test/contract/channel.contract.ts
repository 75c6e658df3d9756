/**
 * What every channel must do, whatever is behind it. Each channel runs this suite against a server that
 * the suite scripts: it answers late, twice, out of order, never, or dies.
 */
/* oxlint-disable vitest/no-conditional-tests, vitest/no-conditional-expect -- a rig says what its server can do, and is not asked for more */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RpcId } from '../../src/gate/protocol/frame.ts';
import type { ChannelRig, ScriptedServer } from './witness.ts';
import { PATIENCE_MS, until, Witness } from './witness.ts';

type Open = () => Promise<ChannelRig>;

interface ContractOptions {
  /** Runs of the property; few for channels over real processes. */
  readonly runs?: number;
}

/** For a channel that passes calls on to its server. */
export function channelContract(
  name: string,
  open: Open,
  { runs = 60 }: ContractOptions = {},
): void {
  describe(`the channel contract on ${name}`, () => {
    testServed(open);
    testAnyway(open, runs);
  });
}

/** For a channel that answers calls by itself: nothing reaches its server. */
export function answeringChannelContract(
  name: string,
  open: Open,
  { runs = 60 }: ContractOptions = {},
): void {
  describe(`the channel contract on ${name}`, () => {
    testAlone(open);
    testAnyway(open, runs);
  });
}

async function begin(open: Open): Promise<{ rig: ChannelRig; witness: Witness }> {
  const rig = await open();
  return { rig, witness: await new Witness(rig).begin() };
}

async function arrive(server: ScriptedServer, tag: string): Promise<RpcId> {
  await until(`${tag} arrives`, () => server.seen(tag) !== undefined);
  return server.seen(tag) ?? '';
}

function answer(server: ScriptedServer, id: RpcId): void {
  server.say({ id, result: { content: [] } });
}

/** Disposes the channel, and says what was wrong with what the client was told. */
async function end(witness: Witness, ids: readonly RpcId[]): Promise<readonly string[]> {
  await witness.dispose();
  await sleep(5);
  const lacking = ids.filter((id) => !witness.settled.has(id)).map((id) => `${id} was not settled`);
  const ends = witness.closings === 1 ? [] : [`closed ${witness.closings} times`];
  return [...witness.faults, ...lacking, ...ends];
}

function testServed(open: Open): void {
  it('settles each request with its own answer, whatever their order', async () => {
    const { rig, witness } = await begin(open);
    witness.call('a');
    witness.call('b');
    const [a, b] = [await arrive(rig.server, 'a'), await arrive(rig.server, 'b')];
    answer(rig.server, b);
    await until('b is answered', () => witness.settled.has('b'));
    expect(witness.settled.has('a')).toBe(false);
    answer(rig.server, a);
    await until('a is answered', () => witness.settled.has('a'));
    expect([...witness.settled.values()].flat()).not.toContainEqual(expect.any(Object));
    expect(await end(witness, ['a', 'b'])).toEqual([]);
  });

  it('drops a second answer and answers to what was never sent', async () => {
    const { rig, witness } = await begin(open);
    witness.call('a');
    witness.call('b');
    const [a, b] = [await arrive(rig.server, 'a'), await arrive(rig.server, 'b')];
    for (const id of ['never', 77_777, a, a]) answer(rig.server, id);
    answer(rig.server, b);
    await until('both are answered', () => witness.settled.has('a') && witness.settled.has('b'));
    expect(await end(witness, ['a', 'b'])).toEqual([]);
  });

  it('settles a cancelled request by its late answer or as lost, and once', async () => {
    const { rig, witness } = await begin(open);
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
    expect(await end(witness, ['late', 'never'])).toEqual([]);
  });

  it('settles everything on disposal, also what was sent just before, then ends once', async () => {
    const { rig, witness } = await begin(open);
    witness.call('sent');
    await arrive(rig.server, 'sent');
    witness.call('just now');
    await Promise.all([witness.dispose(), rig.channel[Symbol.asyncDispose]()]);
    expect(() => witness.call('after')).not.toThrow();
    expect(witness.settled.has('after')).toBe(false);
    expect(await end(witness, ['sent', 'just now'])).toEqual([]);
  });

  it('settles what a server that dies had in flight, then announces the next one or the end', async () => {
    const { rig, witness } = await begin(open);
    witness.call('a');
    witness.call('b');
    await arrive(rig.server, 'a');
    await arrive(rig.server, 'b');
    witness.cancel('b');
    await rig.server.die();
    await until('both settle', () => witness.settled.has('a') && witness.settled.has('b'));
    const [how] = witness.settled.get('a') ?? [];
    expect(how === 'answer' ? 'answer' : how?.kind).toBe(rig.answersFailures ? 'answer' : 'lost');
    if (!rig.isStateless) {
      await until('it is told', () => witness.renewals + witness.closings > 0);
    }
    const hasNext = witness.closings === 0;
    if (hasNext) {
      witness.call('next');
      answer(rig.server, await arrive(rig.server, 'next'));
      await until('the next server answers', () => witness.settled.has('next'));
    }
    expect(witness.settled.get('next')).toEqual(hasNext ? ['answer'] : undefined);
    expect(await end(witness, ['a', 'b'])).toEqual([]);
  });
}

function testAlone(open: Open): void {
  it('answers by itself, but never before it is asked', async () => {
    const { rig, witness } = await begin(open);
    witness.call('a');
    witness.call('b');
    await until('both are answered', () => witness.settled.has('a') && witness.settled.has('b'));
    expect([rig.server.seen('a'), rig.server.seen('b')]).toEqual([undefined, undefined]);
    expect(await end(witness, ['a', 'b'])).toEqual([]);
  });

  it('settles everything on disposal, then ends once', async () => {
    const { rig, witness } = await begin(open);
    witness.call('just now');
    await Promise.all([witness.dispose(), rig.channel[Symbol.asyncDispose]()]);
    expect(() => witness.call('after')).not.toThrow();
    expect(witness.settled.has('after')).toBe(false);
    expect(await end(witness, ['just now'])).toEqual([]);
  });
}

function testAnyway(open: Open, runs: number): void {
  it('settles what was cancelled right after it was sent', async () => {
    const { witness } = await begin(open);
    witness.call('a');
    witness.cancel('a');
    await until('it settles', () => witness.settled.has('a'));
    expect(await end(witness, ['a'])).toEqual([]);
  });

  it('settles everything on disposal before the handshake is done', async () => {
    const rig = await open();
    const witness = new Witness(rig);
    witness.call('early');
    expect(await end(witness, ['early'])).toEqual([]);
  });

  it('settles every request exactly once, whatever the server does and when', async () => {
    const step = fc.record({
      what: fc.constantFrom('call', 'answer', 'twice', 'stray', 'cancel', 'die', 'wait'),
      which: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 16 }), fc.boolean(), async (steps, isSlow) => {
        const { rig, witness } = await begin(open);
        const called: string[] = [];
        for (const { what, which } of steps) {
          const tag = called[which % Math.max(1, called.length)] ?? 'none';
          const id = rig.server.seen(tag);
          // To a channel that has ended nothing is sent.
          if (what === 'call' && witness.closings > 0) continue;
          if (what === 'call') {
            called.push(`call-${called.length}`);
            witness.call(called.at(-1) ?? '');
          } else if (what === 'stray') answer(rig.server, `stray-${which}`);
          else if (what === 'cancel') witness.cancel(tag);
          else if (what === 'die') await rig.server.die();
          else if (what === 'wait') await sleep(1);
          else if (id !== undefined) {
            answer(rig.server, id);
            if (what === 'twice') answer(rig.server, id);
          }
          if (isSlow) await sleep(0);
        }
        expect(await end(witness, called)).toEqual([]);
      }),
      { numRuns: runs, timeout: PATIENCE_MS, interruptAfterTimeLimit: 4 * PATIENCE_MS },
    );
  });
}
