/** What every store does with the statements of an application; part of the store contract. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store, Tx } from '../../src/ledger/store.ts';
import { keyRecordRow, unnumberedReceipt } from './store.contract.ts';

export function applicationSqlContract(name: string, open: () => Promise<Store>): void {
  describe(`statements of an application on ${name}`, () => {
    let store: Store;
    let ids = 0;
    const fresh = () => `key record-${name}-sql-${(ids += 1)}`;

    beforeAll(async () => {
      store = await open();
    }, 60_000);

    afterAll(async () => {
      await store[Symbol.asyncDispose]();
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

    it.each([
      ["SELECT 'what?' AS value, ? AS given", 'what?'],
      ["SELECT 'it''s ?' AS value, ? AS given", "it's ?"],
      ["SELECT 'a\\' AS value, ? AS given, '?' AS other", 'a\\'],
      ["SELECT ? AS given, 'b' AS value -- what?", 'b'],
      ["SELECT /* what? */ ? AS given, 'c' AS value /* and ? */", 'c'],
      ['SELECT ? AS given, "value?" AS value FROM (SELECT \'d\' AS "value?") AS inside', 'd'],
      ["SELECT ? AS given, 'e;?' AS value ; -- the end; really?", 'e;?'],
    ])('takes only a parameter for a parameter: %s', async (sql, value) => {
      const rows = await store.transaction((tx) => tx.execute(sql, ['given']));
      expect(rows).toMatchObject([{ given: 'given', value }]);
    });

    it.each([
      ['SELECT ? AS a, ? AS b', ['one']],
      ['SELECT ? AS a', []],
      ["SELECT 'what?' AS a", ['one']],
      ['SELECT ? AS a', ['one', 'two']],
    ])('refuses another number of parameters: %s with %j', async (sql, parameters) => {
      const running = store.transaction((tx) => tx.execute(sql, parameters));
      await expect(running).rejects.toThrow(/takes \d parameters?, and got \d/);
    });

    it.each(['SELECT 1 AS a; SELECT 2 AS b', 'SELECT 1 AS a; COMMIT', 'SELECT 1 AS a;; -- \n END'])(
      'runs one statement at a time: %s',
      async (sql) => {
        const id = fresh();
        const running = store.transaction(async (tx) => {
          await tx.insert('key_records', keyRecordRow({ id }));
          await tx.execute(sql);
        });
        await expect(running).rejects.toThrow('one statement at a time');
        expect(await store.transaction((tx) => tx.find('key_records', { id }))).toBeUndefined();
      },
    );

    it('goes on after a statement that failed and whose error was caught', async () => {
      const [table, id] = [`t${Math.random().toString(36).slice(2)}`, fresh()];
      await store.transaction((tx) => tx.execute(`CREATE TABLE ${table} (n BIGINT UNIQUE)`));
      const insert = (tx: Tx, n: number) => tx.execute(`INSERT INTO ${table} VALUES (?)`, [n]);
      await store.transaction(async (tx) => {
        await tx.insert('key_records', keyRecordRow({ id }));
        await insert(tx, 1);
        await expect(insert(tx, 1)).rejects.toThrow(/unique/i);
        await expect(tx.execute('SELECT nonsense FROM nowhere')).rejects.toThrow(/nowhere/);
        await insert(tx, 2);
        const together = await Promise.allSettled([insert(tx, 2), insert(tx, 3), insert(tx, 3)]);
        expect(together.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
      });
      const rows = await store.transaction(async (tx) => [
        await tx.execute(`SELECT n FROM ${table} ORDER BY n`),
        (await tx.find('key_records', { id }))?.id,
      ]);
      expect(rows).toEqual([[{ n: 1 }, { n: 2 }, { n: 3 }], id]);
    });

    it.each([1, 3, 20])(
      'fails alone by a constraint that the commit checks, among %i',
      async (many) => {
        const table = fresh().replaceAll(/\W/g, '');
        await store.transaction(async (tx) => {
          await tx.execute(`CREATE TABLE ${table}_parents (id BIGINT PRIMARY KEY)`);
          await tx.execute(
            `CREATE TABLE ${table} (id BIGINT REFERENCES ${table}_parents (id) DEFERRABLE INITIALLY DEFERRED)`,
          );
        });
        const add = (id: number, isRepeatable: boolean): Promise<boolean> =>
          store.transaction(
            async (tx) => {
              await tx.execute(`INSERT INTO ${table} VALUES (?)`, [id]);
              await tx.append([unnumberedReceipt({ id: `${table}-${id}` })]);
              // The parent comes later, as such a constraint allows; of every third, never.
              if (id % 3 > 0) await tx.execute(`INSERT INTO ${table}_parents VALUES (?)`, [id]);
              return tx.insert('key_records', keyRecordRow({ id: `${table}-${id}` }));
            },
            { isRepeatable },
          );
        const kinds = [() => false, () => true, (id: number) => id % 2 === 0];
        const kept: number[] = [];
        for (const [round, isRepeatable] of kinds.entries()) {
          const given = Array.from({ length: many }, (_, index) => round * 30 + index);
          const adding = given.map((id) => add(id, isRepeatable(id)));
          const ended = await Promise.allSettled(adding);
          kept.push(...given.filter((_, index) => ended[index]?.status === 'fulfilled'));
          const refused = adding.filter((_, index) => index % 3 === 0);
          for (const one of refused) await expect(one).rejects.toThrow(/foreign key/i);
        }
        expect(kept).toEqual(
          kinds.flatMap((_, round) =>
            Array.from({ length: many }, (__, index) => round * 30 + index).filter(
              (id) => id % 3 > 0,
            ),
          ),
        );
        const rows = await store.transaction((tx) =>
          tx.execute(
            `SELECT t.id FROM ${table} t JOIN receipt_log l ON l.id = '${table}-' || t.id ORDER BY t.id`,
          ),
        );
        expect(rows).toEqual(kept.map((id) => ({ id })));
        const [log] = await store.transaction((tx) =>
          tx.execute('SELECT COUNT(*) AS n, COALESCE(MAX(seq) + 1, 0) AS next FROM receipt_log'),
        );
        expect(log?.['n']).toBe(log?.['next']);
      },
    );

    it.each([
      'COMMIT',
      ' rollback',
      '-- so\n/* be it */ END',
      'SAVEPOINT mine',
      ';COMMIT',
      'START TRANSACTION',
      "PREPARE TRANSACTION 'x'",
      'RELEASE job',
    ])('does not let the application end its transaction: %s', async (statement) => {
      const id = fresh();
      const ending = store.transaction(async (tx) => {
        await tx.insert('key_records', keyRecordRow({ id }));
        await tx.execute(statement);
      });
      await expect(ending).rejects.toThrow('ends with its work');
      expect(await store.transaction((tx) => tx.find('key_records', { id }))).toBeUndefined();
    });
  });
}
