/** What every store must do. Each adapter runs this suite; none is excused from a part of it. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EqualCall } from '../../src/ledger/equal-call.ts';
import { indexReceipts } from '../../src/ledger/receipts/index-receipts.ts';
import type { Store, StoreLimits, Tx } from '../../src/ledger/store.ts';
import { CommitUnknownError, StoreUnavailableError } from '../../src/ledger/store.ts';
import type { KeyRecordRow, UnnumberedReceipt } from '../../src/ledger/tables.ts';
import { withCommitFaults } from '../support/commit-faults.ts';

export function keyRecordRow(changes: Partial<KeyRecordRow> = {}): KeyRecordRow {
  return {
    id: 'keyRecord-1',
    tenant: 't',
    principal: 'p',
    operation: 'op',
    key_hint: 'abcd',
    fingerprint: 'f',
    address: '',
    state: 'CLAIMED',
    fence: 1,
    owner: 'w1',
    lease_until: 1000,
    effect_class: 'opaque',
    attempt: '',
    partner_key: 'd',
    dispatched_at: 0,
    outcome: '',
    evidence: '[]',
    created_at: 1,
    updated_at: 1,
    expires_at: 2,
    ...changes,
  };
}

export function unnumberedReceipt(changes: Partial<UnnumberedReceipt> = {}): UnnumberedReceipt {
  return {
    id: 'receipt-1',
    body: [`{"outcome":"ö ? $1 '","seq":`, ',"tier":"read"}'],
    salt: '',
    args: '',
    ...changes,
  };
}

export function storeContract(
  name: string,
  open: (limits?: Partial<StoreLimits>) => Promise<Store>,
): void {
  describe(`the store contract on ${name}`, () => {
    let store: Store;
    let ids = 0;
    const fresh = () => `key record-${name}-${(ids += 1)}`;

    beforeAll(async () => {
      store = await open();
    }, 60_000);

    afterAll(async () => {
      await store[Symbol.asyncDispose]();
    });

    it('inserts only what is absent', async () => {
      const id = fresh();
      const first = await store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id })));
      const second = await store.transaction((tx) =>
        tx.insert('key_records', keyRecordRow({ id, owner: 'w2' })),
      );
      expect([first, second]).toEqual([true, false]);
      const row = await store.transaction((tx) => tx.find('key_records', { id }));
      expect(row).toEqual(keyRecordRow({ id }));
    });

    it('compares and sets: only the row that still looks like that', async () => {
      const id = fresh();
      await store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id })));
      const set = (fence: number, state: string) =>
        store.transaction((tx) =>
          tx.update('key_records', { id, fence }, { state, fence: fence + 1 }),
        );
      expect(await set(1, 'DISPATCHED')).toBe(true);
      expect(await set(1, 'UNKNOWN')).toBe(false);
      expect(await store.transaction((tx) => tx.find('key_records', { id }))).toMatchObject({
        state: 'DISPATCHED',
        fence: 2,
      });
    });

    it('lets one of many at once win', async () => {
      const id = fresh();
      const tries = Array.from({ length: 50 }, (_, index) =>
        store.transaction((tx) =>
          tx.insert('key_records', keyRecordRow({ id, owner: `w${index}` })),
        ),
      );
      const won = await Promise.all(tries);
      expect(won.filter(Boolean)).toHaveLength(1);
    });

    it('undoes everything when the work fails, and harms nobody who commits along', async () => {
      const [lost, kept] = [fresh(), fresh()];
      const failing = store.transaction(async (tx) => {
        await tx.insert('key_records', keyRecordRow({ id: lost }));
        throw new Error('changed my mind');
      });
      const other = store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id: kept })));
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await other).toBe(true);
      const found = await store.transaction(async (tx) => [
        await tx.find('key_records', { id: lost }),
        (await tx.find('key_records', { id: kept }))?.id,
      ]);
      expect(found).toEqual([undefined, kept]);
    });

    it('numbers what is appended to the log without gaps, also when a transaction fails', async () => {
      const append = (...receipts: string[]) =>
        store.transaction((tx) => tx.append(receipts.map((id) => unnumberedReceipt({ id }))));
      const first = fresh();
      await append(first);
      const failing = store.transaction(async (tx) => {
        await tx.append([unnumberedReceipt({ id: fresh() })]);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await expect(append(first)).rejects.toThrow(/unique/i);
      await Promise.all(Array.from({ length: 30 }, () => append(fresh(), fresh())));
      const [rows, counter] = await store.transaction(async (tx) => [
        await tx.list('receipts', { orderBy: 'seq', limit: 1000 }),
        await tx.find('counters', { name: 'receipts' }),
      ]);
      expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 61 }, (_, seq) => seq));
      expect(counter?.value).toBe(61);
      for (const { seq, body, leaf } of rows) {
        expect(body).toBe(`{"outcome":"ö ? $1 '","seq":${seq},"tier":"read"}`);
        expect(leaf).toBe(createHash('sha256').update(`\0${body}`).digest('hex'));
      }
    });

    it('keeps together what one transaction appends, in its order', async () => {
      const appended = Array.from({ length: 40 }, fresh);
      await store.transaction(async (tx) => {
        await tx.append(appended.slice(0, 35).map((id) => unnumberedReceipt({ id })));
        await tx.append(appended.slice(35).map((id) => unnumberedReceipt({ id })));
      });
      const newest = await store.transaction((tx) =>
        tx.list('receipts', { orderBy: 'seq', descending: true, limit: 40 }),
      );
      expect(newest.map(({ id }) => id).toReversed()).toEqual(appended);
    });

    it.each([
      { which: 'none', isRepeatable: () => false },
      { which: 'all', isRepeatable: () => true },
      { which: 'most', isRepeatable: (index: number) => index % 5 !== 0 },
    ])(
      'numbers without gaps what is committed together with transactions that fail, and counts it ($which can be repeated)',
      async ({ isRepeatable }) => {
        const counted = async (tx: Tx) => (await tx.find('counters', { name: 'receipts' }))?.value;
        const before = (await store.transaction(counted)) ?? 0;
        const outcomes = await Promise.allSettled(
          Array.from({ length: 30 }, (_, index) => {
            const work = async (tx: Tx): Promise<number | undefined> => {
              await tx.append([unnumberedReceipt({ id: fresh() })]);
              await tx.insert('key_records', keyRecordRow({ id: fresh() }));
              // Some look at the count before they fail, which is undone with the rest.
              const seen = index % 2 === 0 ? await counted(tx) : undefined;
              if (index % 3 === 0) throw new Error(`no ${index}`);
              return seen;
            };
            return store.transaction(work, { isRepeatable: isRepeatable(index) });
          }),
        );
        const said = outcomes.map((outcome) =>
          outcome.status === 'rejected' ? (outcome.reason as Error).message : 'yes',
        );
        expect(said).toEqual(outcomes.map((_, index) => (index % 3 === 0 ? `no ${index}` : 'yes')));
        const [rows, after] = await store.transaction(async (tx) => [
          await tx.list('receipt_log', { orderBy: 'seq', descending: true, limit: 20 }),
          await counted(tx),
        ]);
        expect(after).toBe(before + 20);
        expect(rows.map(({ seq }) => seq)).toEqual(
          Array.from({ length: 20 }, (_, index) => before + 19 - index),
        );
      },
    );

    it('finds the newest equal call, whoever wrote it, and none that was undone', async () => {
      await using other = await open();
      const stores = [store, other];
      const call = { tenant: 't', principal: 'p', operation: 'op', fingerprint: fresh() };
      const rowOf = (created_at: number, changes: Partial<KeyRecordRow> = {}) =>
        keyRecordRow({ ...call, id: fresh(), created_at, ...changes });
      const add = (index: number, row: KeyRecordRow) =>
        stores[index % 2]?.transaction((tx) => tx.insert('key_records', row));
      const find = async (index: number, since: number, changes: Partial<EqualCall> = {}) =>
        (await stores[index % 2]?.transaction((tx) => tx.findEqual({ ...call, ...changes }, since)))
          ?.id;
      for (let index = 0; index < 6; index += 1) {
        const undo = async (tx: Tx): Promise<void> => {
          await tx.insert('key_records', rowOf(200 + index));
          expect((await tx.findEqual(call, 0))?.created_at).toBe(200 + index);
          throw new Error('no');
        };
        const beside = (tx: Tx) => tx.findEqual(call, 0);
        const [undone] = await Promise.allSettled(
          [undo, beside].map((work) =>
            store.transaction<unknown>(work, { isRepeatable: index % 2 === 0 }),
          ),
        );
        expect(undone).toMatchObject({ reason: { message: 'no' } });
        const row = rowOf(100 + index);
        await add(index, row);
        await add(index, rowOf(300, { state: 'FAILED_FINAL' }));
        await add(index, rowOf(300, { state: 'TOMBSTONE' }));
        expect([await find(index, 0), await find(index + 1, 0)]).toEqual([row.id, row.id]);
      }
      expect([await find(0, 104), await find(1, 105)]).toEqual([expect.any(String), undefined]);
      for (const part of ['tenant', 'principal', 'operation', 'fingerprint'] as const) {
        expect(await find(0, 0, { [part]: 'other' })).toBeUndefined();
      }
    });

    it('finds no record that was removed, or that is of another call by now', async () => {
      const call = { tenant: 't', principal: 'p', operation: 'op', fingerprint: fresh() };
      const now = { ...call, fingerprint: fresh() };
      const id = fresh();
      const find = async (wanted: EqualCall) =>
        (await store.transaction((tx) => tx.findEqual(wanted, 0)))?.id;
      await store.transaction((tx) => tx.insert('key_records', keyRecordRow({ ...call, id })));
      expect(await find(call)).toBe(id);
      await store.transaction((tx) => tx.remove('key_records', { id }));
      expect(await find(call)).toBeUndefined();
      await store.transaction((tx) => tx.insert('key_records', keyRecordRow({ ...now, id })));
      expect([await find(call), await find(now)]).toEqual([undefined, id]);
    });

    it('finds an equal call among thousands, and those of the same transaction', async () => {
      await using other = await open();
      const call = { tenant: 't', principal: 'p', operation: 'op', fingerprint: fresh() };
      const first = fresh();
      const at = Date.now();
      await store.transaction((tx) =>
        tx.insert('key_records', keyRecordRow({ ...call, id: first, created_at: at })),
      );
      for (let pages = 0; pages < 20; pages += 1) {
        await store.transaction(async (tx) => {
          const page = Array.from({ length: 1000 }, fresh);
          await tx.insertAll(
            'key_records',
            page.map((id) => keyRecordRow({ ...call, id, fingerprint: id, created_at: at + 1 })),
          );
          expect((await tx.findEqual(call, 0))?.id).toBe(first);
          for (const id of [page[0] ?? '', page[999] ?? '']) {
            expect((await tx.findEqual({ ...call, fingerprint: id }, at))?.id).toBe(id);
          }
        });
      }
      const find = (since: number) => other.transaction((tx) => tx.findEqual(call, since));
      expect([(await find(at - 1))?.id, (await find(at))?.id]).toEqual([first, undefined]);
    }, 60_000);

    it('indexes receipts when somebody searches them, each once, in any number of searches', async () => {
      const count = async (table: string): Promise<number> => {
        const rows = await store.transaction((tx) =>
          tx.execute(`SELECT COUNT(*) AS n FROM ${table}`),
        );
        return Number(rows[0]?.['n']);
      };
      await count('receipts');
      const before = await count('receipt_index');
      const append = (): Promise<void> =>
        store.transaction((tx) => tx.append([unnumberedReceipt({ id: fresh() })]));
      for (let index = 0; index < 3; index += 1) await append();
      expect(await count('receipt_index')).toBe(before);
      const search = { where: { tier: 'read' }, orderBy: 'seq', limit: 1000 } as const;
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          await append();
          await store.transaction((tx) => tx.list('receipts', search));
        }),
      );
      expect(await count('receipt_index')).toBe(before + 23);
      const own = await store.transaction(async (tx) => {
        await tx.append([unnumberedReceipt({ id: 'own' })]);
        return tx.find('receipt_log', { id: 'own' });
      });
      // PostgreSQL numbers receipts with the commit.
      expect(own?.seq).toBe(store.kind === 'sqlite' ? before + 23 : undefined);
      expect(await store.transaction((tx) => tx.find('receipts', { id: 'own' }))).toMatchObject({
        seq: before + 23,
        outcome: "ö ? $1 '",
        operation: '',
      });
    });

    it('indexes a long log in few transactions, and lets the process go on meanwhile', async () => {
      const count = 6000;
      const batch = Array.from({ length: count }, () => unnumberedReceipt({ id: fresh() }));
      await store.transaction((tx) => tx.append(batch));
      let transactions = 0;
      const counting: Store = {
        kind: store.kind,
        [Symbol.asyncDispose]: () => Promise.resolve(),
        transaction: (work) => {
          transactions += 1;
          return store.transaction(work);
        },
      };
      let [turns, isDone] = [0, false];
      const tick = (): void => {
        turns += 1;
        if (!isDone) setImmediate(tick);
      };
      setImmediate(tick);
      await indexReceipts(counting);
      isDone = true;
      expect(transactions).toBe(2);
      expect(turns).toBeGreaterThan(10);
      const stray = `SELECT COUNT(*) AS n FROM receipt_log l
        LEFT JOIN receipt_index i ON i.seq = l.seq WHERE i.seq IS NULL`;
      const [row] = await store.transaction((tx) => tx.execute(stray));
      expect(Number(row?.['n'])).toBe(0);
    });

    it('lists in order, by page and by bounds', async () => {
      const operation = fresh();
      await store.transaction(async (tx) => {
        for (const lease of [30, 10, 20]) {
          await tx.insert(
            'key_records',
            keyRecordRow({ id: fresh(), operation, lease_until: lease }),
          );
        }
      });
      const leases = async (query: object) => {
        const rows = await store.transaction((tx) =>
          tx.list('key_records', {
            where: { operation },
            orderBy: 'lease_until',
            limit: 10,
            ...query,
          }),
        );
        return rows.map((row) => row.lease_until);
      };
      expect(await leases({})).toEqual([10, 20, 30]);
      expect(await leases({ descending: true, limit: 2 })).toEqual([30, 20]);
      expect(await leases({ above: { column: 'lease_until', value: 10 } })).toEqual([20, 30]);
      expect(await leases({ upTo: { column: 'lease_until', value: 20 } })).toEqual([10, 20]);
    });

    it('removes what still looks like that', async () => {
      const id = fresh();
      await store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id })));
      expect(await store.transaction((tx) => tx.remove('key_records', { id, fence: 2 }))).toBe(
        false,
      );
      expect(await store.transaction((tx) => tx.remove('key_records', { id, fence: 1 }))).toBe(
        true,
      );
    });

    it('has one clock that does not run backwards', async () => {
      const [first, second] = await store.transaction(async (tx) => [
        await tx.now(),
        await tx.now(),
      ]);
      expect(Math.abs((first ?? 0) - Date.now())).toBeLessThan(60_000);
      expect(second).toBeGreaterThanOrEqual(first ?? 0);
    });

    it('rolls back work that holds its transaction for too long, and lets nothing of it in later', async () => {
      await using hasty = await open({ idleMs: 300 });
      const [id, later] = [fresh(), fresh()];
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const afterwards = Promise.withResolvers<unknown>();
      const holding = hasty.transaction(async (tx) => {
        await tx.insert('key_records', keyRecordRow({ id }));
        await released;
        await tx
          .insert('key_records', keyRecordRow({ id: later }))
          .then(afterwards.resolve, afterwards.reject);
      });
      const other = store.transaction((tx) =>
        tx.insert('key_records', keyRecordRow({ id: fresh() })),
      );
      await expect(holding).rejects.toThrow(StoreUnavailableError);
      expect(await other).toBe(true);
      expect(
        await hasty.transaction((tx) => tx.insert('key_records', keyRecordRow({ id: fresh() }))),
      ).toBe(true);
      release();
      await expect(afterwards.promise).rejects.toThrow('the transaction has ended');
      const found = await store.transaction(async (tx) => [
        await tx.find('key_records', { id }),
        await tx.find('key_records', { id: later }),
      ]);
      expect(found).toEqual([undefined, undefined]);
    });

    it('rolls back work that never comes to an end, however busy it is', async () => {
      await using hasty = await open({ totalMs: 300 });
      const id = fresh();
      const busy = hasty.transaction(async (tx) => {
        await tx.insert('key_records', keyRecordRow({ id }));
        for (;;) {
          await tx.now();
          await new Promise((done) => setTimeout(done, 5));
        }
      });
      await expect(busy).rejects.toThrow(StoreUnavailableError);
      expect(await hasty.transaction((tx) => tx.find('key_records', { id }))).toBeUndefined();
    });

    it('refuses what comes after the end of a transaction', async () => {
      let kept: Tx | undefined;
      const id = fresh();
      await store.transaction(async (tx) => {
        kept = tx;
        await tx.now();
      });
      await expect(kept?.insert('key_records', keyRecordRow({ id }))).rejects.toThrow('has ended');
      await expect(kept?.execute('SELECT 1 AS one')).rejects.toThrow('has ended');
      await expect(kept?.append([unnumberedReceipt({ id })])).rejects.toThrow('has ended');
      expect(await store.transaction((tx) => tx.find('key_records', { id }))).toBeUndefined();
    });

    it.each(['committed', 'lost'] as const)(
      'says so when a commit’s outcome is unknown (%s)',
      async (truth) => {
        const id = fresh();
        const faulty = withCommitFaults(store, () => truth);
        const doubtful = faulty.transaction((tx) => tx.insert('key_records', keyRecordRow({ id })));
        await expect(doubtful).rejects.toThrow(CommitUnknownError);
        const row = await store.transaction((tx) => tx.find('key_records', { id }));
        expect(row?.id).toBe(truth === 'committed' ? id : undefined);
      },
    );

    it('keeps hostile text as it is', async () => {
      const id = fresh();
      const outcome = `'; DROP TABLE key_records; -- \u202e ${'x'.repeat(10_000)} ☃ 😀 ?$1`;
      await store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id, outcome })));
      expect((await store.transaction((tx) => tx.find('key_records', { id })))?.outcome).toBe(
        outcome,
      );
    });

    // Last, since it opens the store anew.
    it('brings the key records of an older version along', async () => {
      const row = keyRecordRow({ id: fresh(), state: 'SUCCEEDED', outcome: '{}' });
      await store.transaction(async (tx) => {
        await tx.insert('key_records', row);
        await tx.execute('ALTER TABLE key_records DROP COLUMN address');
        await tx.execute('ALTER TABLE gated_servers DROP COLUMN lock_file');
        await tx.execute('DROP VIEW indexed_receipts');
        await tx.execute('DROP TABLE usage_counts');
        await tx.execute('DROP TABLE usage_money');
        await tx.execute("DELETE FROM counters WHERE name = 'counted-receipts'");
        await tx.execute('DELETE FROM ledger_version WHERE version > 3');
      });
      await store[Symbol.asyncDispose]();
      store = await open();
      const kept = await store.transaction((tx) => tx.find('key_records', { id: row.id }));
      expect(kept).toEqual({ ...row, address: '' });
    });
  });
}
