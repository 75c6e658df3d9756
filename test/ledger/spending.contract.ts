/** What a key promises, through the whole pipeline; run on every store. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Partner, OpenLedger, Operation, PlimsollServer, Recorded } from 'plimsoll/server';
import {
  createServer,
  creates,
  defineOperation,
  NotSentError,
  openLedger,
  ProblemError,
  spends,
} from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { callInProcess } from '../support/call-in-process.ts';

type Behaviour = 'ok' | 'refuse' | 'busy' | 'break' | 'not-sent' | 'slow';

interface Shop {
  readonly server: PlimsollServer;
  /** The keys that the partner was given, in order. */
  readonly charged: string[];
  behave: Behaviour;
}

const DOWNSTREAMS: readonly Partner[] = [
  { class: 'dedup' },
  { class: 'lookup' },
  { class: 'opaque' },
];

export function spendingContract(name: string, address: () => Promise<string>): void {
  let ledger: OpenLedger;

  beforeAll(async () => {
    ledger = await openLedger(await address(), { key: Buffer.alloc(32, 7), report: () => {} });
  }, 60_000);

  afterAll(async () => {
    await ledger[Symbol.asyncDispose]();
  });

  function openShop(partner: Partner): Shop {
    const shop = { charged: [] as string[], behave: 'ok' as Behaviour };
    const operation: Operation = defineOperation({
      name: `pay_${randomUUID().slice(0, 8)}`,
      title: 'Pay',
      description: 'Pays an amount.',
      input: z.object({ amount: z.int().positive().describe('Cents') }),
      output: z.object({ charge: z.string(), amount: z.int() }),
      effect: spends('EUR cents'),
      partner,
      run: async ({ amount }, { key = '' }) => {
        if (shop.behave === 'not-sent') throw new NotSentError('refused');
        if (shop.behave === 'refuse') throw new ProblemError('forbidden', 'The account is closed.');
        if (shop.behave === 'busy')
          throw new ProblemError('rate-limited', 'Later.', { retryAfter: 2 });
        shop.charged.push(key);
        if (shop.behave === 'slow') await wait(1000);
        if (shop.behave === 'break') throw new Error('the line broke');
        return { charge: `ch_${key.slice(0, 8)}`, amount };
      },
    });
    const server = createServer({
      name: 'shop',
      version: '1',
      operations: [operation],
      ledger,
      report: () => {},
    });
    return Object.assign(shop, { server });
  }

  async function pay(shop: Shop, key: string | undefined, amount = 100): Promise<Recorded> {
    const [operation] = [...shop.server.operations.values()];
    if (operation === undefined) throw new Error('the shop is empty');
    return callInProcess(
      shop.server,
      operation,
      { amount },
      { key, principal: { id: 'alice', tenant: 'acme', scopes: [] } },
    );
  }

  describe(`spending on ${name}`, () => {
    it.each(DOWNSTREAMS)(
      'R100 R101 R199: a repeat with the same key replays and charges nothing ($class)',
      async (partner) => {
        const shop = openShop(partner);
        const key = randomUUID();
        const first = await pay(shop, key);
        const second = await pay(shop, key);
        expect(first).toMatchObject({ kind: 'success', value: { amount: 100 } });
        expect(second).toEqual({ ...first, replayed: true });
        expect(shop.charged).toHaveLength(1);
      },
    );

    it('R102: a new key is a new charge', async () => {
      const shop = openShop({ class: 'opaque' });
      await pay(shop, randomUUID());
      await pay(shop, randomUUID());
      expect(new Set(shop.charged).size).toBe(2);
    });

    it('runs nothing without a key, with a bad one, or with the same key for another intention', async () => {
      const shop = openShop({ class: 'opaque' });
      expect(await pay(shop, undefined)).toMatchObject({
        problem: { code: 'key-required', status: 400 },
      });
      expect(await pay(shop, 'short')).toMatchObject({
        problem: { code: 'key-invalid', status: 400 },
      });
      const key = randomUUID();
      await pay(shop, key, 100);
      const other = await pay(shop, key, 101);
      expect(other).toMatchObject({ problem: { code: 'key-reused', status: 422 } });
      expect(JSON.stringify(other)).not.toContain('ch_');
      expect(shop.charged).toHaveLength(1);
    });

    it('a refusal is settled too; a passing one is not', async () => {
      const shop = openShop({ class: 'opaque' });
      const [refused, busy] = [randomUUID(), randomUUID()];
      shop.behave = 'refuse';
      await pay(shop, refused);
      shop.behave = 'busy';
      expect(await pay(shop, busy)).toMatchObject({ problem: { code: 'rate-limited' } });
      shop.behave = 'ok';
      expect(await pay(shop, refused)).toMatchObject({
        problem: { code: 'forbidden' },
        replayed: true,
      });
      expect(await pay(shop, busy)).toMatchObject({ kind: 'success' });
      expect(shop.charged).toHaveLength(1);
    });

    it('what was certainly not sent may be sent again', async () => {
      const shop = openShop({ class: 'opaque' });
      const key = randomUUID();
      shop.behave = 'not-sent';
      expect(await pay(shop, key)).toMatchObject({ problem: { code: 'unavailable', status: 503 } });
      shop.behave = 'ok';
      expect(await pay(shop, key)).toMatchObject({ kind: 'success' });
    });

    it.each(['lookup', 'opaque'] as const)(
      'a doubtful outcome is never run again (%s)',
      async (effectClass) => {
        const shop = openShop({ class: effectClass });
        const key = randomUUID();
        shop.behave = 'break';
        expect(await pay(shop, key)).toMatchObject({
          problem: { code: 'outcome-doubtful', status: 504 },
        });
        shop.behave = 'ok';
        expect(await pay(shop, key)).toMatchObject({
          problem: { code: 'outcome-unknown', status: 409 },
        });
        expect(await pay(shop, key)).not.toHaveProperty('problem.retryAfter');
        expect(shop.charged).toHaveLength(1);
      },
    );

    it('R103 R142: a partner that dedups gets the same key again, and the outcome is learnt', async () => {
      const shop = openShop({ class: 'dedup' });
      const key = randomUUID();
      shop.behave = 'break';
      expect(await pay(shop, key)).toMatchObject({ problem: { code: 'retry-same-key' } });
      shop.behave = 'ok';
      expect(await pay(shop, key)).toMatchObject({ kind: 'success' });
      expect(shop.charged).toHaveLength(2);
      expect(new Set(shop.charged).size).toBe(1);
    });

    it('100 calls at once with one key, 100 times: one effect each', async () => {
      const shop = openShop({ class: 'opaque' });
      for (let round = 0; round < 100; round += 1) {
        const key = randomUUID();
        const before = shop.charged.length;
        const all = await Promise.all(Array.from({ length: 100 }, () => pay(shop, key)));
        expect(shop.charged.length - before).toBe(1);
        const kinds = new Set(
          all.map((each) => (each.kind === 'failure' ? each.problem.code : each.kind)),
        );
        expect([...kinds].filter((kind) => kind !== 'success' && kind !== 'in-flight')).toEqual([]);
      }
    }, 120_000);

    it('in flight is told with the time to wait', async () => {
      const shop = openShop({ class: 'opaque' });
      const key = randomUUID();
      shop.behave = 'slow';
      const first = pay(shop, key);
      await expect.poll(() => shop.charged.length).toBe(1);
      expect(await pay(shop, key)).toMatchObject({
        problem: { code: 'in-flight', status: 409, retryAfter: expect.any(Number) },
      });
      expect(await first).toMatchObject({ kind: 'success' });
      expect(await pay(shop, key)).toMatchObject({ replayed: true });
    });

    it('keys of different callers and operations are apart', async () => {
      const [one, other] = [openShop({ class: 'opaque' }), openShop({ class: 'opaque' })];
      const key = randomUUID();
      await pay(one, key);
      await pay(other, key);
      expect([one.charged.length, other.charged.length]).toEqual([1, 1]);
      expect(one.charged).not.toEqual(other.charged);
    });
  });

  describe(`local effects on ${name}`, () => {
    it('happen with their key record or not at all', async () => {
      const table = `notes_${randomUUID().replaceAll('-', '')}`;
      await ledger.store.transaction((tx) => tx.execute(`CREATE TABLE ${table} (text TEXT)`));
      let fail = true;
      const add = defineOperation({
        name: 'add_note',
        title: 'Add Note',
        description: 'Adds a note in the ledger’s own database.',
        input: z.object({ text: z.string().describe('What to write') }),
        output: z.object({ count: z.int() }),
        effect: creates('note', { repeat: 'key-required' }),
        partner: { class: 'local' },
        run: async ({ text }, { transaction }) => {
          await transaction?.execute(`INSERT INTO ${table} (text) VALUES (?)`, [text]);
          if (fail) throw new Error('changed my mind');
          const rows = (await transaction?.execute(`SELECT text FROM ${table}`)) ?? [];
          return { count: rows.length };
        },
      });
      const server = createServer({
        name: 's',
        version: '1',
        operations: [add],
        ledger,
        report: () => {},
      });
      const key = randomUUID();
      const call = () => callInProcess(server, add, { text: 'milk', idempotency_key: key });
      expect(await call()).toMatchObject({ problem: { code: 'internal-error' } });
      fail = false;
      expect(await call()).toMatchObject({ kind: 'success', value: { count: 1 } });
      expect(await call()).toMatchObject({ value: { count: 1 }, replayed: true });
    });
  });
}
