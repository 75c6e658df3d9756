/** Finding out about calls whose outcome is unknown, while a server runs. */
import { randomUUID } from 'node:crypto';
import type { Discovery, LostCall, OpenLedger, Operation, Recorded } from 'plimsoll/server';
import { createServer, defineOperation, openLedger, Secret, spends } from 'plimsoll/server';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { newOwner } from '../../src/ledger/idempotency/worker.ts';
import { sweepServer } from '../../src/serve/create-server.ts';
import { callInProcess } from '../support/call-in-process.ts';

const open: AsyncDisposable[] = [];

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

interface Shop {
  readonly ledger: OpenLedger;
  readonly asked: LostCall[];
  readonly call: (key: string) => Promise<Recorded>;
}

/** A till whose line breaks on every first call, and a partner that can be asked. */
async function openShop(
  discover: () => Discovery,
  settleSeconds: number | 'as the ledger has it' = 0,
  others: readonly Operation[] = [],
): Promise<Shop> {
  const keyRules = { settleMs: 200 };
  const ledger = await openLedger('sqlite::memory:', { report: () => {}, keyRules });
  const asked: LostCall[] = [];
  const pay = defineOperation({
    name: 'pay',
    title: 'Pay Now',
    description: 'Pays.',
    input: z.object({}),
    output: z.object({ charge: z.string(), token: z.string().optional() }),
    effect: spends('EUR', { secrets: ['token'], secretsReason: 'The receipt opens the order.' }),
    partner: {
      class: 'lookup',
      ...(typeof settleSeconds === 'number' && { settleSeconds }),
      reconcile: async (lost) => {
        asked.push(lost);
        return discover();
      },
    },
    run: () => {
      throw new Error('the line broke');
    },
  });
  const server = createServer({
    name: 's',
    version: '1',
    operations: [pay, ...others],
    ledger,
    report: () => {},
  });
  open.push(ledger, sweepServer(server, 20));
  const call = (key: string): Promise<Recorded> =>
    callInProcess(server, pay, {}, { key, principal: { id: 'alice', tenant: 'acme', scopes: [] } });
  return { ledger, asked, call };
}

describe('the reconcile hook', () => {
  it('R142: settles a call that had happened, and the same key then tells its answer', async () => {
    const { call, asked } = await openShop(() => ({ kind: 'executed', value: { charge: 'ch_1' } }));
    const key = randomUUID();
    expect(await call(key)).toMatchObject({ problem: { code: 'outcome-doubtful' } });
    await expect.poll(() => call(key)).toMatchObject({ replayed: true, value: { charge: 'ch_1' } });
    expect(asked[0]).toMatchObject({ operation: 'pay', tenant: 'acme', principal: 'alice' });
  });

  it('settles a call that the partner has cancelled as not executed', async () => {
    const { call } = await openShop(() => ({ kind: 'cancelled' }));
    const key = randomUUID();
    await call(key);
    await expect
      .poll(() => call(key))
      .toMatchObject({ problem: { code: 'not-executed', status: 409 } });
  });

  it('does not take "not found" for an answer while the sender may still send', async () => {
    const { call, asked } = await openShop(() => ({ kind: 'not-found' }));
    const key = randomUUID();
    await call(key);
    await expect.poll(() => asked.length).toBeGreaterThan(3);
    expect(await call(key)).toMatchObject({ problem: { code: 'outcome-unknown' } });
  });

  it.each([
    ['of the operation', 0.2],
    ['of the ledger', 'as the ledger has it'],
  ] as const)(
    'takes it once the sender has been seen dead for the settle window %s',
    async (_, seconds) => {
      const { call, ledger } = await openShop(() => ({ kind: 'not-found' }), seconds);
      const key = randomUUID();
      await call(key);
      const dead = `${newOwner().split('/')[0]}/${process.pid}/1/x`;
      const started = Date.now();
      await ledger.store.transaction((tx) =>
        tx.execute('UPDATE key_records SET attempt = ?', [dead]),
      );
      await expect
        .poll(() => call(key), { timeout: 5000 })
        .toMatchObject({ problem: { code: 'not-executed' } });
      expect(Date.now() - started).toBeGreaterThanOrEqual(200);
    },
  );

  it('checks what it is told against the output of the operation', async () => {
    const { call } = await openShop(() => ({ kind: 'executed', value: { charge: 7, pin: 'x' } }));
    const key = randomUUID();
    await call(key);
    await expect
      .poll(() => call(key))
      .toMatchObject({ problem: { code: 'invalid-output' }, replayed: true });
  });

  it.each([
    ['text', (token: string) => token],
    ['a wrapped secret', (token: string) => new Secret(token)],
  ])('keeps no secret that it is told, as %s', async (_, wrap) => {
    const token = `s3cret-${randomUUID()}`;
    const value = { charge: `of ${token}`, token: wrap(token) };
    const { call, ledger } = await openShop(() => ({ kind: 'executed', value }));
    const key = randomUUID();
    await call(key);
    await expect
      .poll(() => call(key))
      .toMatchObject({ replayed: true, value: { token: 'secret-already-delivered' } });
    const rows = await ledger.store.transaction((tx) => tx.execute('SELECT * FROM key_records'));
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it.each([
    ['throws at once', () => raise()],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['never answers', () => new Promise<never>(() => {})],
    ['answers with a value that no JSON can hold', async () => ({ kind: 'executed', value: 1n })],
  ])('that %s does not keep others from being asked', async (_, reconcile) => {
    const broken = defineOperation({
      name: 'broken',
      title: 'Broken',
      description: 'Breaks.',
      input: z.object({}),
      effect: spends('EUR'),
      partner: { class: 'lookup', reconcile: reconcile as () => Promise<Discovery> },
      run: () => raise(),
    });
    const { call, ledger } = await openShop(
      () => ({ kind: 'executed', value: { charge: 'ch_1' } }),
      0,
      [broken],
    );
    const server = createServer({
      name: 's',
      version: '1',
      operations: [broken],
      ledger,
      report: () => {},
    });
    await callInProcess(server, broken, {}, { key: randomUUID() });
    const key = randomUUID();
    await call(key);
    await expect.poll(() => call(key)).toMatchObject({ replayed: true, value: { charge: 'ch_1' } });
  });

  it('leaves alone what nobody can tell', async () => {
    const { call, asked } = await openShop(() => ({ kind: 'cannot-tell' }));
    const key = randomUUID();
    await call(key);
    await expect.poll(() => asked.length).toBeGreaterThan(2);
    expect(await call(key)).toMatchObject({ problem: { code: 'outcome-unknown' } });
  });

  it('is called for every lost call, however many there are that nobody can tell of', async () => {
    const { call, asked } = await openShop(() => ({ kind: 'cannot-tell' }));
    for (let lost = 0; lost < 130; lost += 1) await call(randomUUID());
    await expect
      .poll(() => new Set(asked.map(({ key }) => key)).size, { timeout: 15_000 })
      .toBe(130);
  });
});

describe('the sweeper of a server', () => {
  it.each([
    ['is over', 1, 'UNKNOWN'],
    ['is not', 3600, 'DISPATCHED'],
  ])(
    'gives up an interrupted call once the lifetime of its key at the partner %s',
    async (_, keyLifetimeSeconds, state) => {
      const ledger = await openLedger('sqlite::memory:', { report: () => {} });
      const pay = defineOperation({
        name: 'pay',
        title: 'Pay Now',
        description: 'Pays.',
        input: z.object({}),
        effect: spends('EUR'),
        partner: { class: 'dedup', keyLifetimeSeconds },
        run: () => raise(),
      });
      const init = { name: 's', version: '1', operations: [pay], ledger, report: () => {} };
      const server = createServer(init);
      await callInProcess(server, pay, {}, { key: randomUUID() });
      await ledger.store.transaction((tx) =>
        tx.execute('UPDATE key_records SET dispatched_at = dispatched_at - 2000'),
      );
      const sweeper = sweepServer(server, 20);
      open.push(ledger, sweeper);
      const states = async (): Promise<unknown> => {
        const rows = await ledger.store.transaction((tx) =>
          tx.execute('SELECT state FROM key_records'),
        );
        return rows.map((row) => row['state']);
      };
      await expect.poll(states).toEqual([state]);
      await new Promise((done) => setTimeout(done, 100));
      expect(await states()).toEqual([state]);
    },
  );
});

function raise(): never {
  throw new Error('the line broke');
}
