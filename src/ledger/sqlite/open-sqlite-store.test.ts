import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { applicationSqlContract } from '../../../test/contract/application-sql.contract.ts';
import { keyRecordRow, storeContract } from '../../../test/contract/store.contract.ts';
import { StoreUnavailableError } from '../store.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
    const outcome = 'x'.repeat(1_000_000);
    const [before, full, after] = await Promise.allSettled([
      store.transaction((tx) => tx.insert('key_records', keyRecordRow({ id: 'before' }))),
      store.transaction(async (tx) => {
        await tx.execute('PRAGMA max_page_count = 60');
        await tx.insert('key_records', keyRecordRow({ id: 'full', outcome }));
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
      await expect(insert('second')).rejects.toThrow(StoreUnavailableError);
    } finally {
      run.mockRestore();
    }
    expect(await insert('third')).toBe(true);
  });

  it('refuses a file of a newer version', async () => {
    const path = join(folder, 'newer.sqlite');
    await using store = await openSqliteStore(path);
    await store.transaction((tx) => tx.execute('INSERT INTO ledger_version (version) VALUES (99)'));
    await expect(openSqliteStore(path)).rejects.toThrow('newer than this program supports');
  });
});
