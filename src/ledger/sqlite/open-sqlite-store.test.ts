import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { applicationSqlContract } from '../../../test/contract/application-sql.contract.ts';
import {
  keyRecordRow,
  storeContract,
  unnumberedReceipt,
} from '../../../test/contract/store.contract.ts';
import type { Tx } from '../store.ts';
import { StoreUnavailableError } from '../store.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-sqlite-'));
/** Of a statement in a table without a trigger, SQLite undoes the whole transaction when the file is full. */
const tooLong = { id: 'full', policy: 'x'.repeat(1_000_000), started_at: 0, seen_at: 0 };
afterAll(() => rmSync(folder, { recursive: true }));

/** Of this process. Linux only. */
function openFiles(): readonly string[] {
  const fds = '/proc/self/fd';
  const linkOf = (fd: string): string => {
    try {
      return readlinkSync(join(fds, fd));
    } catch {
      return ''; // the one that read the folder
    }
  };
  return readdirSync(fds).map(linkOf);
}

storeContract('SQLite', (limits) => openSqliteStore(join(folder, 'contract.sqlite'), limits));
applicationSqlContract('SQLite', () => openSqliteStore(join(folder, 'statements.sqlite')));

describe('the SQLite store', () => {
  it('syncs fully on every commit, with a write-ahead log', async () => {
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
    const path = join(folder, 'pragmas.sqlite');
    await using _store = await openSqliteStore(path);
    expect(exec.mock.calls.flat().join(' ')).toContain('PRAGMA synchronous = FULL');
    exec.mockRestore();
    using reader = new DatabaseSync(path);
    expect(reader.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  });

  it('commits together what waits at the same time', async () => {
    await using store = await openSqliteStore(join(folder, 'group.sqlite'));
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
    try {
      await Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id: `g${index}` }))),
        ),
      );
      const commits = exec.mock.calls.filter(([sql]) => sql === 'COMMIT');
      expect(commits).toHaveLength(1);
    } finally {
      exec.mockRestore();
    }
  });

  it('creates its files for their owner alone, and leaves the mode of one that is there', async () => {
    const before = process.umask(0);
    try {
      const path = join(folder, 'private.sqlite');
      await using store = await openSqliteStore(path);
      await store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id: 'p' })));
      const modes = ['', '-wal', '-shm'].map((end) => statSync(`${path}${end}`).mode & 0o777);
      expect(modes).toEqual([0o600, 0o600, 0o600]);
      chmodSync(path, 0o640);
      await using _other = await openSqliteStore(path);
      expect(statSync(path).mode & 0o777).toBe(0o640);
    } finally {
      process.umask(before);
    }
  });

  it('is shared by two that open the same file', async () => {
    const path = join(folder, 'shared.sqlite');
    await using first = await openSqliteStore(path);
    await using second = await openSqliteStore(path);
    const won = await Promise.all(
      [first, second].flatMap((store) =>
        Array.from({ length: 20 }, (_, index) =>
          store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id: `s${index}` }))),
        ),
      ),
    );
    expect(won.filter(Boolean)).toHaveLength(20);
  });

  it('goes on after a transaction that the database itself has undone', async () => {
    await using store = await openSqliteStore(join(folder, 'full.sqlite'));
    const [before, full, after] = await Promise.allSettled([
      store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id: 'before' }))),
      store.transaction(async (tx) => {
        await tx.execute('PRAGMA max_page_count = 60');
        await tx.insert('gates', tooLong);
      }),
      store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id: 'after' }))),
    ]);
    expect(before).toMatchObject({ reason: expect.any(StoreUnavailableError) });
    expect(full).toMatchObject({ reason: { message: expect.stringContaining('full') } });
    expect(after).toEqual({ status: 'fulfilled', value: true });
    const ids = await store.transaction((tx) => tx.execute('SELECT id FROM key_records'));
    expect(ids).toEqual([{ id: 'after' }]);
  });

  it('does not let one failure to begin hold up those who come later', async () => {
    await using store = await openSqliteStore(join(folder, 'savepoint.sqlite'));
    const insert = (id: string) =>
      store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id })));
    await insert('first');
    const run = vi.spyOn(StatementSync.prototype, 'run').mockImplementationOnce(() => {
      throw new Error('disk I/O error');
    });
    try {
      const together = ['second', 'beside it'].map(insert);
      for (const one of together) await expect(one).rejects.toThrow(StoreUnavailableError);
    } finally {
      run.mockRestore();
    }
    expect(await insert('third')).toBe(true);
  });

  it('undoes all of a transaction that fails alone, and goes on', async () => {
    await using store = await openSqliteStore(join(folder, 'alone.sqlite'));
    const add = (id: string) => (tx: Tx) => tx.insert('key_records', keyRecordRow({ id }));
    const failing = store.transaction(async (tx) => {
      await add('undone')(tx);
      await tx.append([unnumberedReceipt({ id: 'undone' })]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await store.transaction(add('kept'));
    const ids = await store.transaction((tx) => tx.execute('SELECT id FROM key_records'));
    expect(ids).toEqual([{ id: 'kept' }]);
    const logged = await store.transaction((tx) => tx.execute('SELECT id FROM receipt_log'));
    expect(logged).toEqual([]);
  });

  it('makes no savepoints for those that can be repeated, and runs all of them again when one fails', async () => {
    await using store = await openSqliteStore(join(folder, 'repeated.sqlite'));
    const texts = vi.spyOn(StatementSync.prototype, 'run');
    const savepoints = () =>
      (texts.mock.contexts as readonly StatementSync[]).filter(({ sourceSQL }) =>
        sourceSQL.startsWith('SAVEPOINT'),
      ).length;
    const runs: string[] = [];
    const insert = (id: string, fails = false) =>
      store.transaction(
        async (tx) => {
          runs.push(id);
          await tx.insert('key_records', keyRecordRow({ id }));
          if (fails) throw new Error(`not ${id}`);
        },
        { isRepeatable: true },
      );
    try {
      await Promise.all(['a', 'b'].map((id) => insert(id)));
      expect([runs.splice(0), savepoints()]).toEqual([['a', 'b'], 0]);
      const failing = insert('d', true);
      const [first, last] = [insert('c'), insert('e')];
      await expect(failing).rejects.toThrow('not d');
      await Promise.all([first, last]);
      expect([runs, savepoints()]).toEqual([['d', 'd', 'c', 'e'], 3]);
    } finally {
      texts.mockRestore();
    }
    const rows = await store.transaction((tx) =>
      tx.execute('SELECT id FROM key_records ORDER BY id'),
    );
    expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'e']);
  });

  it.each([1, 2])('waits once for %i that hang, and runs the others again', async (hanging) => {
    const path = join(folder, `hanging-${hanging}.sqlite`);
    await using store = await openSqliteStore(path, { idleMs: 400 });
    let starts = 0;
    const hang = (): Promise<void> => {
      starts += 1;
      return new Promise(() => {});
    };
    const insert = (id: string) => (tx: Tx) => tx.insert('key_records', keyRecordRow({ id }));
    const works = [insert('a'), ...Array.from({ length: hanging }, () => hang), insert('b')];
    const ended = await Promise.allSettled(
      works.map((work) => store.transaction<unknown>(work, { isRepeatable: true })),
    );
    expect(starts).toBe(hanging);
    const [first, ...others] = ended;
    const last = others.pop();
    expect([first, last]).toEqual([1, 2].map(() => ({ status: 'fulfilled', value: true })));
    const late = { reason: { message: expect.stringContaining('did nothing for 400 ms') } };
    expect(others).toMatchObject(others.map(() => late));
  });

  it('fails alone by a constraint that it has deferred itself', async () => {
    await using store = await openSqliteStore(join(folder, 'deferring.sqlite'));
    await store.transaction(async (tx) => {
      await tx.execute('CREATE TABLE parents (id INTEGER PRIMARY KEY)');
      await tx.execute('CREATE TABLE children (id INTEGER REFERENCES parents (id))');
    });
    const add = (id: number, defers: boolean) =>
      store.transaction(async (tx) => {
        if (defers) await tx.execute('PRAGMA defer_foreign_keys = ON');
        await tx.execute('INSERT INTO children VALUES (?)', [id]);
        if (id === 3) throw new Error('no');
        if (id > 1) await tx.execute('INSERT INTO parents VALUES (?)', [id]);
      });
    const insert = (id: string) =>
      store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id })));
    const ended = await Promise.allSettled([
      insert('a'),
      add(3, true),
      add(1, false),
      insert('b'),
      add(2, true),
      add(4, false),
      insert('c'),
    ]);
    const failing = { reason: { message: expect.stringMatching(/foreign key/i) } };
    const done = { status: 'fulfilled' };
    expect(ended).toMatchObject([
      done,
      { reason: { message: 'no' } },
      failing,
      done,
      done,
      failing,
      done,
    ]);
  });

  it('fails alone by a constraint that is in the place of tables that were undone', async () => {
    const path = join(folder, 'undone.sqlite');
    await using store = await openSqliteStore(path);
    const run = (...statements: readonly string[]) =>
      store.transaction(async (tx) => {
        for (const statement of statements) await tx.execute(statement);
      });
    await run('CREATE TABLE parents (id INTEGER PRIMARY KEY)');
    renameSync(path, `${path}.away`);
    const lost = ['one', 'two'].map((name) => run(`CREATE TABLE ${name} (id INTEGER)`));
    for (const each of lost) await expect(each).rejects.toThrow(StoreUnavailableError);
    renameSync(`${path}.away`, path);
    // The second version of the tables again.
    const create =
      'CREATE TABLE children (id INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)';
    const refused = run(
      'CREATE TABLE others (id INTEGER)',
      create,
      'INSERT INTO children VALUES (1)',
    );
    const beside = run('INSERT INTO parents VALUES (2)');
    await expect(refused).rejects.toThrow(/foreign key/i);
    await beside;
  });

  it.each([1, 20])('does not read all intents anew after %i refused together', async (many) => {
    await using store = await openSqliteStore(join(folder, `refused-${many}.sqlite`));
    const rows = Array.from({ length: 2000 }, (_, index) => keyRecordRow({ id: `row ${index}` }));
    await store.transaction((tx) => tx.insertAll('key_records', rows));
    const call = { tenant: 't', principal: 'p', operation: 'op', fingerprint: 'f' };
    await store.transaction((tx) => tx.findEqual(call, 0));
    const all = vi.spyOn(StatementSync.prototype, 'all');
    const refuse = async (tx: Tx, id: string): Promise<void> => {
      await tx.findEqual(call, 0);
      await tx.insert('key_records', keyRecordRow({ id }));
      throw new Error('no');
    };
    try {
      for (let rounds = 0; rounds < 5; rounds += 1) {
        const refused = Array.from({ length: many }, (_, index) =>
          store.transaction((tx) => refuse(tx, `new ${index}`), { isRepeatable: true }),
        );
        const outcomes = await Promise.allSettled(refused);
        expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
      }
      const read = all.mock.results.reduce(
        (sum, { value }) => sum + (value as unknown[]).length,
        0,
      );
      expect(read).toBeLessThan(2000);
    } finally {
      all.mockRestore();
    }
  });

  it('commits nothing of a transaction that failed alone and could not be rolled back', async () => {
    const path = join(folder, 'stuck.sqlite');
    await using store = await openSqliteStore(path);
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
      this: DatabaseSync,
      sql,
    ) {
      if (sql.startsWith('ROLLBACK')) throw new Error('disk I/O error');
      this.prepare(sql).run();
    });
    try {
      const failing = store.transaction(async (tx) => {
        await tx.insert('key_records', keyRecordRow({ id: 'undone' }));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
    } finally {
      exec.mockRestore();
    }
    using other = new DatabaseSync(path, { readOnly: true });
    expect(other.prepare('SELECT id FROM key_records').all()).toEqual([]);
  });

  it('opens no temporary file in a folder of others, however much a transaction changes', async () => {
    await using store = await openSqliteStore(join(folder, 'large.sqlite'));
    const rows = Array.from({ length: 1000 }, (_, index) => keyRecordRow({ id: `row ${index}` }));
    await store.transaction((tx) => tx.insertAll('key_records', rows));
    const changeAll = (tx: Tx) =>
      tx.execute("UPDATE key_records SET evidence = '[1]'").then(() => openFiles());
    // Those that share a commit can be undone alone, and SQLite keeps what they changed until they end.
    const [files] = await Promise.all(
      [changeAll, changeAll].map((work) => store.transaction(work)),
    );
    expect(files).toContainEqual(expect.stringContaining('large.sqlite'));
    expect(files).not.toContainEqual(expect.stringContaining('etilqs'));
  });

  it('waits for another writer without blocking the event loop', async () => {
    const path = join(folder, 'busy.sqlite');
    await using store = await openSqliteStore(path);
    using other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const inserting = store.transaction((tx) =>
      tx.insert('key_records', keyRecordRow({ id: 'patient' })),
    );
    // Only an event loop that goes on can end what the transaction waits for.
    await sleep(300);
    other.exec('COMMIT');
    expect(await inserting).toBe(true);
  });

  it('opens while another writes, and waits for it', async () => {
    const path = join(folder, 'opening.sqlite');
    using other = new DatabaseSync(path);
    other.exec('CREATE TABLE mine (n INTEGER); BEGIN EXCLUSIVE');
    const opening = openSqliteStore(path);
    await sleep(100);
    other.exec('COMMIT');
    await using store = await opening;
    expect(await store.transaction((tx) => tx.now())).toBeGreaterThan(0);
  });

  it('gives up when another writes for too long, and goes on later', async () => {
    const path = join(folder, 'stuck.sqlite');
    await using store = await openSqliteStore(path, { lockMs: 200 });
    using other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const insert = () =>
      store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id: 'late' })));
    await expect(insert()).rejects.toThrow(StoreUnavailableError);
    other.exec('ROLLBACK');
    expect(await insert()).toBe(true);
  });

  it.each(['', '-wal'])('refuses when its file (%s) is deleted or replaced', async (suffix) => {
    const path = join(folder, `moved${suffix}.sqlite`);
    const [file, elsewhere] = [`${path}${suffix}`, join(folder, `elsewhere${suffix}`)];
    await using store = await openSqliteStore(path);
    const insert = (id: string) =>
      store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id })));
    expect(await insert('before')).toBe(true);
    renameSync(file, elsewhere);
    await expect(insert('deleted')).rejects.toThrow(/was deleted while it was open/);
    copyFileSync(elsewhere, file);
    await expect(insert('replaced')).rejects.toThrow(/was replaced while it was open/);
    await expect(insert('again')).rejects.toThrow(StoreUnavailableError);
    renameSync(elsewhere, file);
    expect(await insert('back')).toBe(true);
    const ids = await store.transaction((tx) =>
      tx.execute('SELECT id FROM key_records ORDER BY id'),
    );
    expect(ids).toEqual([{ id: 'back' }, { id: 'before' }]);
  });

  it('does not commit to a file that is deleted while a transaction runs', async () => {
    const path = join(folder, 'unlinked.sqlite');
    await using store = await openSqliteStore(path);
    const working = store.transaction(async (tx) => {
      await tx.insert('key_records', keyRecordRow({ id: 'gone' }));
      rmSync(path);
    });
    await expect(working).rejects.toThrow(/was deleted while it was open/);
  });

  it.each([
    { beside: [], isRepeatable: false, defers: false },
    { beside: ['one', 'two'], isRepeatable: false, defers: false },
    { beside: ['one', 'two'], isRepeatable: false, defers: true },
    { beside: ['one', 'two'], isRepeatable: true, defers: false },
  ])(
    'commits nothing on its own after a rollback that the work did not notice ($beside, $isRepeatable, $defers)',
    async ({ beside, isRepeatable, defers }) => {
      const name = `unnoticed-${beside.length}-${isRepeatable}-${defers}.sqlite`;
      await using store = await openSqliteStore(join(folder, name));
      const careless = async (tx: Tx): Promise<void> => {
        await tx.execute('PRAGMA max_page_count = 60');
        if (defers) await tx.execute('PRAGMA defer_foreign_keys = ON');
        await tx.insert('gates', tooLong).catch(() => {});
        await tx.insert('key_records', keyRecordRow({ id: 'alone' })).catch(() => {});
      };
      const insert = (id: string) => (tx: Tx) => tx.insert('key_records', keyRecordRow({ id }));
      const [failed, ...others] = await Promise.allSettled(
        [careless, ...beside.map(insert)].map((work) =>
          store.transaction<unknown>(work, { isRepeatable }),
        ),
      );
      expect(failed).toMatchObject({ reason: expect.any(StoreUnavailableError) });
      expect(others).toEqual(beside.map(() => ({ status: 'fulfilled', value: true })));
      const rows = await store.transaction((tx) => tx.execute('SELECT id FROM key_records'));
      expect(rows.map(({ id }) => id)).toEqual(beside);
    },
  );

  it('refuses a file of a newer version', async () => {
    const path = join(folder, 'newer.sqlite');
    await using store = await openSqliteStore(path);
    await store.transaction((tx) => tx.execute('INSERT INTO ledger_version (version) VALUES (99)'));
    await expect(openSqliteStore(path)).rejects.toThrow('newer than this program supports');
  });
});
