/** Commits that do not say whether they happened, at every point of a spend, on a partner that cannot dedup. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Recorded } from 'plimsoll/server';
import { createServer, defineOperation, NotSentError, spends } from 'plimsoll/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openKeyRecords } from '../../src/ledger/idempotency/key-records.ts';
import { deriveKeys } from '../../src/ledger/keys.ts';
import { Receipts } from '../../src/ledger/receipts/receipts.ts';
import { openSqliteStore } from '../../src/ledger/sqlite/open-sqlite-store.ts';
import { StoreUnavailableError } from '../../src/ledger/store.ts';
import type { Store } from '../../src/ledger/store.ts';
import type { Fate } from '../support/commit-faults.ts';
import { withCommitFaults } from '../support/commit-faults.ts';
import { callInProcess } from '../support/call-in-process.ts';

type Sending = 'fine' | 'not-sent' | 'lost-before' | 'lost-after';

function openShop(store: Store, send: () => Sending) {
  const charges = new Map<number, number>();
  const keys = deriveKeys(randomBytes(32));
  const keyRecords = openKeyRecords(store, keys, { leaseMs: 1 });
  const receipts = new Receipts(store, {
    keys,
    keyRecords,
    arguments: 'digest',
    onLost: () => {},
    onKept: () => {},
  });
  const pay = defineOperation({
    name: 'pay',
    title: 'Pay Now',
    description: 'Pays.',
    input: z.object({ amount: z.int().describe('Cents') }),
    output: z.object({ amount: z.int() }),
    effect: spends('EUR cents'),
    partner: { class: 'opaque' },
    run: ({ amount }) => {
      const sending = send();
      if (sending === 'not-sent') throw new NotSentError('refused');
      if (sending === 'lost-before') throw new Error('lost on the way there');
      charges.set(amount, (charges.get(amount) ?? 0) + 1);
      if (sending === 'lost-after') throw new Error('lost on the way back');
      return { amount };
    },
  });
  const server = createServer({
    name: 'shop',
    version: '1',
    operations: [pay],
    ledger: { keyRecords, record: (entry, tx) => receipts.record(entry, tx) },
    report: () => {},
  });
  const call = (amount: number, key: string): Promise<Recorded> =>
    callInProcess(server, pay, { amount }, { key });
  return { call, charges };
}

const FATES: readonly Fate[] = ['fine', 'committed', 'lost'];
const SENDINGS: readonly Sending[] = ['fine', 'not-sent', 'lost-before', 'lost-after'];

/** Plays a script of fates, then goes on without faults. */
function scripted<T>(script: readonly T[], otherwise: T): () => T {
  let at = 0;
  return () => script[at++] ?? otherwise;
}

describe('a fault at every point', () => {
  const scripts = FATES.flatMap((a) => FATES.flatMap((b) => FATES.map((c) => [a, b, c] as const)));
  const cases = scripts.flatMap((fates) => SENDINGS.map((sending) => [fates, sending] as const));

  it.each(cases)(
    'commits %j and sending %s: at most one effect, and success means one',
    async (fates, sending) => {
      await using store = await openSqliteStore(':memory:');
      const { call, charges } = openShop(
        withCommitFaults(store, scripted(fates, 'fine')),
        scripted([sending], 'fine'),
      );
      const key = randomUUID();
      const answers: Recorded[] = [];
      for (let again = 0; again < 4; again += 1) {
        answers.push(await call(1, key));
        await new Promise((done) => setTimeout(done, 3));
      }
      const charged = charges.get(1) ?? 0;
      expect(charged).toBeLessThanOrEqual(1);
      const succeeded = answers.some(({ kind }) => kind === 'success');
      expect(succeeded && charged !== 1).toBe(false);
      const last = answers.at(-1);
      const code = last?.kind === 'failure' ? last.problem.code : last?.kind;
      expect(['success', 'outcome-unknown', 'in-flight']).toContain(code);
    },
  );

  it('runs nothing while the store is away, and says 503', async () => {
    await using store = await openSqliteStore(':memory:');
    let away = true;
    const { call, charges } = openShop(
      {
        ...store,
        kind: 'sqlite',
        transaction: (work) =>
          away ? Promise.reject(new StoreUnavailableError('gone')) : store.transaction(work),
      },
      () => 'fine',
    );
    const key = randomUUID();
    expect(await call(1, key)).toMatchObject({ problem: { status: 503 } });
    expect(charges.size).toBe(0);
    away = false;
    expect(await call(1, key)).toMatchObject({ kind: 'success' });
  });
});

describe('a local effect, with a fault at every commit', () => {
  const scripts = FATES.flatMap((a) => FATES.flatMap((b) => FATES.map((c) => [a, b, c] as const)));

  it.each(scripts)(
    'commits %s, %s, %s: it happens once, and success means that it did',
    async (...fates) => {
      await using store = await openSqliteStore(':memory:');
      await store.transaction((tx) => tx.execute('CREATE TABLE notes (text TEXT)'));
      const keys = deriveKeys(randomBytes(32));
      const faulty = withCommitFaults(store, scripted(fates, 'fine'));
      const keyRecords = openKeyRecords(faulty, keys, { leaseMs: 1 });
      const told = { onLost: () => {}, onKept: () => {} };
      const receipts = new Receipts(faulty, { keys, keyRecords, arguments: 'digest', ...told });
      const add = defineOperation({
        name: 'add',
        title: 'Add Note',
        description: 'Adds a note beside its key record.',
        input: z.object({}),
        effect: spends('EUR cents'),
        partner: { class: 'local' },
        run: async (_, { transaction }) => {
          await transaction?.execute("INSERT INTO notes (text) VALUES ('milk')");
        },
      });
      const ledger = { keyRecords, record: receipts.record.bind(receipts) };
      const server = createServer({
        name: 's',
        version: '1',
        operations: [add],
        ledger,
        report: () => {},
      });
      const key = randomUUID();
      const kinds: string[] = [];
      for (let again = 0; again < 5; again += 1) {
        const { kind } = await callInProcess(server, add, {}, { key });
        kinds.push(kind);
        const rows = await store.transaction((tx) => tx.execute('SELECT text FROM notes'));
        expect(rows.length).toBeLessThanOrEqual(1);
        expect(kind === 'success' && rows.length !== 1).toBe(false);
        await new Promise((done) => setTimeout(done, 3));
      }
      expect(kinds.at(-1)).toBe('success');
    },
  );
});
