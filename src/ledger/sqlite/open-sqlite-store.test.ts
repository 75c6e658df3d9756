import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { keyRecordRow, storeContract } from '../../../test/contract/store.contract.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

storeContract('SQLite', () => openSqliteStore(join(folder, 'contract.sqlite')));

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

  it('refuses a file of a newer version', async () => {
    const path = join(folder, 'newer.sqlite');
    await using store = await openSqliteStore(path);
    await store.transaction((tx) => tx.execute('INSERT INTO ledger_version (version) VALUES (99)'));
    await expect(openSqliteStore(path)).rejects.toThrow('newer than this program knows');
  });
});
