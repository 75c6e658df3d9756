/** What every store must do. Each adapter runs this suite; none is excused from a part of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/ledger/store.ts';
import { CommitUnknownError } from '../../src/ledger/store.ts';
import type { KeyRecordRow } from '../../src/ledger/tables.ts';
import { withCommitFaults } from '../support/commit-faults.ts';

export function keyRecordRow(changes: Partial<KeyRecordRow> = {}): KeyRecordRow {
  return {
    id: 'keyRecord-1',
    tenant: 't',
    principal: 'p',
    operation: 'op',
    key_hint: 'abcd',
    fingerprint: 'f',
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

export function storeContract(name: string, open: () => Promise<Store>): void {
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

    it('counts without gaps, also when a transaction fails', async () => {
      const counter = fresh();
      const count = () => store.transaction((tx) => tx.next(counter));
      expect(await count()).toBe(0);
      const failing = store.transaction(async (tx) => {
        await tx.next(counter);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      const numbers = await Promise.all(Array.from({ length: 30 }, count));
      expect(numbers.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 30 }, (_, i) => i + 1),
      );
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

    it('runs the application’s own statements in the same transaction', async () => {
      await store.transaction((tx) =>
        tx.execute('CREATE TABLE IF NOT EXISTS app_notes (id BIGINT, text TEXT)'),
      );
      const failing = store.transaction(async (tx) => {
        await tx.execute('INSERT INTO app_notes (id, text) VALUES (?, ?)', [1, 'lost']);
        throw new Error('undo');
      });
      await expect(failing).rejects.toThrow('undo');
      await store.transaction((tx) =>
        tx.execute('INSERT INTO app_notes (id, text) VALUES (?, ?)', [2, 'kept']),
      );
      const rows = await store.transaction((tx) => tx.execute('SELECT id, text FROM app_notes'));
      expect(rows).toEqual([{ id: 2, text: 'kept' }]);
    });

    it.each(['COMMIT', ' rollback', '-- so\n/* be it */ END', 'SAVEPOINT mine'])(
      'does not let the application end its transaction: %s',
      async (statement) => {
        const id = fresh();
        const ending = store.transaction(async (tx) => {
          await tx.insert('key_records', keyRecordRow({ id }));
          await tx.execute(statement);
        });
        await expect(ending).rejects.toThrow('ends with its work');
        expect(await store.transaction((tx) => tx.find('key_records', { id }))).toBeUndefined();
      },
    );

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
  });
}
