import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScenes } from './seed.ts';
import type { Store } from './store.ts';
import { openStore } from './store.ts';

const acting = { organisation: 'org_reef', user: 'mara', at: new Date('2026-07-01T00:00:00Z') };
let folder: string;
let path: string;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'imagery-'));
  path = join(folder, 'imagery.db');
  store = openStore(path);
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

/** A second connection, for looking at the file past the store. */
function peek<T>(look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path);
  try {
    return look(db);
  } finally {
    db.close();
  }
}

describe('openStore', () => {
  it('fills a file once, and keeps what was done', () => {
    store.projects.create(acting, { name: 'Kept' });
    store.close();
    store = openStore(path);
    const count = (table: string) =>
      peek((db) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
    expect(count('scenes')).toBe(makeScenes().length);
    expect(count('projects')).toBe(3);
  });

  it('lets several processes open a new file at the same time', async () => {
    const fresh = join(folder, 'fresh.db');
    const program = `
      import { openStore } from ${JSON.stringify(new URL('store.ts', import.meta.url).href)};
      const store = openStore(${JSON.stringify(fresh)});
      console.log(store.credits.balance('org_reef').available);
      store.close();`;
    const runs = Array.from({ length: 3 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', program]),
    );
    const outputs = await Promise.all(runs);
    expect(outputs.map(({ stdout }) => stdout.trim())).toEqual(['50000', '50000', '50000']);
  });

  it('refuses a file of another version, and closes more than once without harm', () => {
    store.close();
    expect(() => store.close()).not.toThrow();
    peek((db) => db.exec('PRAGMA user_version = 99'));
    expect(() => openStore(path)).toThrow(/version 99/);
  });
});

describe('the tables', () => {
  it.each([
    ['a movement that is rewritten', 'UPDATE movements SET credits = 1', /only added/],
    ['a movement that is taken back', 'DELETE FROM movements', /only added/],
    ['an event that is taken back', 'DELETE FROM events', /only added/],
    [
      'a balance below nothing',
      `UPDATE accounts SET balance = -1 WHERE kind = 'available'`,
      /CHECK/,
    ],
    [
      'a movement of more than is there',
      `INSERT INTO movements (key, from_account, to_account, credits, reason, reference, at)
       VALUES ('x', 'available:org_terra', 'shop', 1, 'charge', 'x', 'now')`,
      /CHECK/,
    ],
    [
      'a second movement under one key',
      `INSERT INTO movements (key, from_account, to_account, credits, reason, reference, at)
       VALUES ('org_reef opening', 'shop', 'available:org_reef', 1, 'opening', 'x', 'now')`,
      /UNIQUE/,
    ],
    [
      'a member of no organisation',
      `INSERT INTO members VALUES ('org_x', 'u', 'admin')`,
      /FOREIGN KEY/,
    ],
    ['a role that is none', `UPDATE members SET role = 'king'`, /CHECK/],
    ['a scene upside down', 'UPDATE scenes SET south = north', /CHECK/],
  ])('refuse %s', (_what, sql, message) => {
    peek((db) => {
      db.exec('PRAGMA foreign_keys = ON');
      expect(() => db.exec(sql)).toThrow(message);
    });
  });

  it('keep balances equal to the sum of movements', () => {
    store.orders.place(acting, 'k', {
      project_id: 'prj_reef',
      kind: 'archive',
      display_name: 'x',
      tags: [],
      captures: [{ scene_id: 'scn_00001', bbox: [0, 0, 1, 1], area_km2: 1, credits: 700 }],
      groups: [],
    });
    store.orders.deliverDue(new Date('2027-01-01T00:00:00Z'));
    const unequal = peek((db) =>
      db
        .prepare(
          `SELECT a.id, a.balance FROM accounts a WHERE a.balance <>
             (SELECT coalesce(sum(credits), 0) FROM movements WHERE to_account = a.id) -
             (SELECT coalesce(sum(credits), 0) FROM movements WHERE from_account = a.id)`,
        )
        .all(),
    );
    expect(unequal).toEqual([]);
    expect(peek((db) => db.prepare('SELECT sum(balance) AS n FROM accounts').get())).toEqual({
      n: 0,
    });
  });
});
