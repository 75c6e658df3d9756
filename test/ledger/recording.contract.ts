/** Settling and the receipt of a call, on a store that fails around them; run on every store. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Operation, Partner, Principal, Recorded } from 'plimsoll/server';
import { createServer, creates, defineOperation, reads, spends } from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openKeyRecords } from '../../src/ledger/idempotency/key-records.ts';
import { deriveKeys } from '../../src/ledger/keys.ts';
import { Receipts } from '../../src/ledger/receipts/receipts.ts';
import { verifyLedger } from '../../src/ledger/receipts/verify-ledger.ts';
import type { Store, Tx } from '../../src/ledger/store.ts';
import { CommitUnknownError, StoreUnavailableError } from '../../src/ledger/store.ts';
import { callInProcess } from '../support/call-in-process.ts';
import type { Fate } from '../support/commit-faults.ts';
import { withCommitFaults } from '../support/commit-faults.ts';

const PATIENCE_MS = 2000;

const RECEIPT = Object.freeze({
  kind: 'receipt',
  act: 'read',
  tier: 'read',
  reach: 'own-store',
  openWorld: false,
  via: 'in-process',
  decision: 'ran',
  outcome: 'success',
  milliseconds: 1,
});

export function recordingContract(name: string, open: () => Promise<Store>): void {
  let real: Store;

  beforeAll(async () => {
    real = await open();
    await real.transaction((tx) => tx.execute('CREATE TABLE notes (text TEXT)'));
  }, 60_000);

  afterAll(async () => {
    await real[Symbol.asyncDispose]();
  });

  interface Shop {
    readonly operation: Operation;
    readonly call: (key?: string, principal?: Principal) => Promise<Recorded>;
    readonly receipts: Receipts;
    /** The fates of the commits after the operation has run. */
    fates: Fate[];
    away: boolean;
    runs: number;
  }

  function openShop(
    effect: Operation['effect'],
    partner: Partner = { class: 'opaque' },
    under = real,
  ): Shop {
    const shop = { fates: [] as Fate[], away: false, runs: 0 };
    let next: Fate[] = [];
    const isLocal = partner.class === 'local';
    const faulty = withCommitFaults(under, () => (isLocal ? shop.fates : next).shift() ?? 'fine');
    const store: Store = {
      ...faulty,
      kind: under.kind,
      transaction: (work) =>
        shop.away ? Promise.reject(new StoreUnavailableError('gone')) : faulty.transaction(work),
    };
    const keys = deriveKeys(randomBytes(32));
    const keyRecords = openKeyRecords(store, keys);
    const told = { onLost: () => {}, onKept: () => {} };
    const receipts = new Receipts(store, { keys, keyRecords, arguments: 'digest', ...told });
    const operation: Operation = defineOperation({
      name: `op_${randomUUID().slice(0, 8)}`,
      title: 'Operation',
      description: 'Does it.',
      input: z.object({}),
      effect,
      partner,
      run: async (_, { transaction }) => {
        await transaction?.execute('INSERT INTO notes (text) VALUES (?)', [operation.name]);
        next = shop.fates;
        shop.runs += 1;
        if (shop.runs === 1 && leaves.has(shop)) shop.away = true;
        return { run: shop.runs };
      },
    });
    const server = createServer({
      name: 's',
      version: '1',
      operations: [operation],
      ledger: { store, keyRecords, record: (entry, tx) => receipts.record(entry, tx) },
      recordPatienceMs: PATIENCE_MS,
      report: () => {},
    });
    const call: Shop['call'] = (key, principal) =>
      callInProcess(server, operation, {}, { key, ...(principal !== undefined && { principal }) });
    return Object.assign(shop, { operation, call, receipts });
  }

  /** Shops whose store goes away while their operation runs. */
  const leaves = new WeakSet<object>();

  async function receiptsOf({ operation }: Shop): Promise<readonly string[]> {
    const rows = await real.transaction((tx) =>
      tx.execute('SELECT decision, outcome FROM receipts WHERE operation = ? ORDER BY seq', [
        operation.name,
      ]),
    );
    return rows.map((row) => [row['decision'], row['outcome']].join(' '));
  }

  describe(`recording on ${name}`, () => {
    const FATES: readonly (readonly Fate[])[] = [
      ['committed'],
      ['lost'],
      ['lost', 'committed'],
      ['lost', 'lost', 'lost'],
      ['committed', 'lost', 'lost', 'committed', 'lost', 'committed'],
    ];

    it.each(FATES)(
      'a commit that does not say whether it happened is looked up: one receipt, and the answer is kept (%s %s %s %s %s %s)',
      async (...fates) => {
        const shop = openShop(spends('EUR'));
        shop.fates = fates.filter((fate) => fate !== undefined);
        const key = randomUUID();
        const first = await shop.call(key);
        expect(first).toEqual({ kind: 'success', value: { run: 1 } });
        expect(await shop.call(key)).toEqual({ ...first, replayed: true });
        expect(await receiptsOf(shop)).toEqual(['ran success', 'replayed success']);
        expect(shop.runs).toBe(1);
      },
    );

    it.each(FATES)('the same without a key (%s %s %s %s %s %s)', async (...fates) => {
      const shop = openShop(creates('note'));
      shop.fates = fates.filter((fate) => fate !== undefined);
      expect(await shop.call()).toEqual({ kind: 'success', value: { run: 1 } });
      expect(await receiptsOf(shop)).toEqual(['ran success']);
    });

    it('a store that is away for a moment is waited for', async () => {
      const shop = openShop(spends('EUR'));
      leaves.add(shop);
      const key = randomUUID();
      const pending = shop.call(key);
      await wait(PATIENCE_MS / 10);
      shop.away = false;
      expect(await pending).toEqual({ kind: 'success', value: { run: 1 } });
      expect(await shop.call(key)).toMatchObject({ kind: 'success', replayed: true });
      expect(await receiptsOf(shop)).toEqual(['ran success', 'replayed success']);
    });

    it('a store that stays away: this caller is told, and the record is made when it is back', async () => {
      const shop = openShop(spends('EUR'));
      leaves.add(shop);
      const key = randomUUID();
      expect(await shop.call(key)).toMatchObject({ problem: { code: 'receipt-lost' } });
      shop.away = false;
      await expect.poll(() => receiptsOf(shop)).toEqual(['ran success']);
      const value = { run: 1 };
      expect(await shop.call(key)).toEqual({ kind: 'success', value, replayed: true });
    });

    it('the same without a key', async () => {
      const shop = openShop(creates('note'));
      leaves.add(shop);
      expect(await shop.call()).toMatchObject({ problem: { code: 'receipt-lost' } });
      shop.away = false;
      await expect.poll(() => receiptsOf(shop)).toEqual(['ran success']);
    });

    it.each(['committed', 'lost'] as const)(
      'an intent whose commit cannot be looked up (%s) has run nothing, and its key is free again',
      async (fate) => {
        let [transactions, away] = [0, false];
        const faulty = withCommitFaults(real, () => (transactions === 2 ? fate : 'fine'));
        const under: Store = {
          ...faulty,
          kind: real.kind,
          transaction: async (work) => {
            transactions += 1;
            if (away) throw new StoreUnavailableError('gone');
            return faulty.transaction(work).finally(() => (away = transactions === 2));
          },
        };
        const shop = openShop(spends('EUR'), { class: 'opaque' }, under);
        const key = randomUUID();
        expect(await shop.call(key)).toMatchObject({ problem: { code: 'unavailable' } });
        expect(shop.runs).toBe(0);
        away = false;
        await expect.poll(() => receiptsOf(shop)).toEqual(['refused unavailable']);
        expect(await shop.call(key)).toEqual({ kind: 'success', value: { run: 1 } });
      },
    );

    it('a local effect whose commit cannot be looked up is not said to be undone', async () => {
      const shop = openShop(spends('EUR'), { class: 'local' });
      shop.fates = ['fine', 'committed'];
      leaves.add(shop);
      const key = randomUUID();
      const outcome = await shop.call(key);
      expect(outcome).toMatchObject({ problem: { code: 'retry-same-key' } });
      expect(JSON.stringify(outcome)).not.toContain('not committed');
      shop.away = false;
      expect(await shop.call(key)).toMatchObject({ kind: 'success' });
      const rows = await real.transaction((tx) =>
        tx.execute('SELECT text FROM notes WHERE text = ?', [shop.operation.name]),
      );
      expect(rows).toHaveLength(1);
    });
  });

  describe(`names that no store can keep, on ${name}`, () => {
    const NAMES = ['a\0b', 'a\ud800', '\ud800\0'];

    it.each(NAMES)('a principal %j is refused, and nothing runs', async (id) => {
      for (const effect of [reads('note'), creates('note'), spends('EUR')]) {
        const shop = openShop(effect);
        const outcome = await shop.call(randomUUID(), { id, scopes: [] });
        expect(outcome).toMatchObject({ problem: { code: 'token-rejected' } });
        expect(shop.runs).toBe(0);
        await shop.receipts.flush();
        expect(await receiptsOf(shop)).toEqual(['refused token-rejected']);
      }
    });

    it.each(NAMES)('a receipt that names %j takes no other with it', async (principal) => {
      const shop = openShop(reads('note'));
      await shop.call();
      const { name: operation } = shop.operation;
      const at = new Date().toISOString();
      const receipt = { ...RECEIPT, at, operation, principal, id: randomUUID() } as const;
      void shop.receipts.record({ receipt, args: { text: principal } });
      await shop.receipts.record({
        receipt: { ...receipt, id: randomUUID(), tier: 'compute', act: 'set' },
        args: {},
      });
      await shop.receipts.flush();
      expect(await receiptsOf(shop)).toHaveLength(3);
      const { publicKey } = generateKeyPairSync('ed25519');
      expect((await verifyLedger(real, { publicKey })).findings).toEqual([]);
    });
  });

  describe(`a call without a key on ${name}`, () => {
    it('changes nothing while nothing can be written, and reads all the same', async () => {
      const [make, look] = [openShop(creates('note')), openShop(reads('note'))];
      [make.away, look.away] = [true, true];
      expect(await make.call()).toMatchObject({ problem: { code: 'unavailable' } });
      expect(await look.call()).toMatchObject({ kind: 'success' });
      expect([make.runs, look.runs]).toEqual([0, 1]);
      make.away = false;
      expect(await make.call()).toMatchObject({ kind: 'success' });
    });

    it('changes nothing when it is not known whether anything can be written', async () => {
      const shop = openShop(creates('note'));
      const { call } = shop;
      const transaction = real.transaction.bind(real);
      try {
        real.transaction = () => Promise.reject(new CommitUnknownError('no word'));
        expect(await call()).toMatchObject({ problem: { code: 'unavailable' } });
      } finally {
        real.transaction = transaction;
      }
      expect(shop.runs).toBe(0);
    });

    it('changes nothing while every connection is taken', async () => {
      const shop = openShop(creates('note'));
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const held = Array.from({ length: 16 }, () => real.transaction(() => released));
      try {
        expect(await shop.call()).toMatchObject({ problem: { code: 'unavailable' } });
      } finally {
        release();
        await Promise.all(held);
      }
      expect(shop.runs).toBe(0);
      expect(await shop.call()).toMatchObject({ kind: 'success' });
    });

    it('changes nothing while the store is read-only', async () => {
      await using store = await open();
      await makeReadOnly(store);
      const shop = openShop(creates('note'), { class: 'opaque' }, store);
      expect(await shop.call()).toMatchObject({ problem: { code: 'unavailable' } });
      expect(shop.runs).toBe(0);
    });
  });
}

/** As after a failover to a standby, or on a file system that was remounted. */
async function makeReadOnly(store: Store): Promise<void> {
  if (store.kind === 'sqlite') {
    await store.transaction((tx) => tx.execute('PRAGMA query_only = 1'));
    return;
  }
  const connect = async (tx: Tx): Promise<void> => {
    await tx.execute('SET SESSION default_transaction_read_only = on');
    await tx.execute('SELECT pg_sleep(0.1)');
  };
  await Promise.all(Array.from({ length: 16 }, () => store.transaction(connect)));
}
