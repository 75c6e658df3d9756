import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { keyRecordRow } from '../../../test/contract/store.contract.ts';
import type { Store } from '../store.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { MOST_FOLLOWED, RecentIntents } from './recent-intents.ts';
import type { Statements } from './statements.ts';
import { openStatements } from './statements.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-intents-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DAY = 24 * 3_600_000;
const now = Date.now();
const CALL = { tenant: 't', principal: 'p', operation: 'op' };

async function add(store: Store, length: number, at: number, name: string): Promise<void> {
  const rows = Array.from({ length }, (_, index) => {
    const id = `${name}-${index}`;
    return keyRecordRow({ ...CALL, id, fingerprint: id, created_at: at });
  });
  await store.transaction((tx) => tx.insertAll('key_records', rows));
}

async function find(store: Store, fingerprint: string, since = now - DAY) {
  const row = await store.transaction((tx) => tx.findEqual({ ...CALL, fingerprint }, since));
  return row?.id;
}

/** Commits until what is to be indexed is indexed: it is looked at once a second, after a commit. */
async function untilIndexed(store: Store, path: string, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        await store.transaction((tx) => tx.now());
        return indexedIn(path);
      },
      { timeout: 10_000 },
    )
    .toBe(count);
}

function read(path: string, sql: string): number {
  using db = new DatabaseSync(path);
  return Number(db.prepare(sql).get()?.['n']);
}

/** Few, so that indexing and dropping happen all the time. */
const FEW = 8;

const VERB = fc.oneof(
  { weight: 5, arbitrary: fc.record({ verb: fc.constant('add'), value: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('remove'), value: fc.nat(200) }) },
  { weight: 4, arbitrary: fc.record({ verb: fc.constant('find'), value: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('index'), value: fc.constant(0) }) },
);
const STEP = fc.record({
  process: fc.nat(2),
  jobs: fc.array(fc.record({ verbs: fc.array(VERB, { maxLength: 12 }), fails: fc.boolean() }), {
    maxLength: 3,
  }),
  commits: fc.boolean(),
  hours: fc.nat(60),
  /** The clock may be behind by less than intents are kept longer than anybody looks back. */
  behind: fc.nat(20),
});
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** Three connections to one file, each with transactions of several jobs that may fail alone or together. */
class IntentsModel {
  readonly wrong: unknown[] = [];
  readonly #connections;
  #newest = now;
  #clock = now;
  #ids = 0;

  constructor(path: string) {
    this.#connections = [0, 1, 2].map(() => {
      const db = new DatabaseSync(path);
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
        CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value BIGINT);
        CREATE TABLE IF NOT EXISTS key_records (id TEXT PRIMARY KEY, fingerprint TEXT, created_at BIGINT)`);
      RecentIntents.prepare(db);
      const run = openStatements(db);
      return { db, run, intents: new RecentIntents(run, FEW) };
    });
  }

  take({ process, jobs, commits, hours, behind }: Step): void {
    const connection = this.#connections[process];
    if (connection === undefined) return;
    const { db, run, intents } = connection;
    this.#newest += hours * 3_600_000;
    this.#clock = this.#newest - behind * 3_600_000;
    db.exec('BEGIN IMMEDIATE');
    const before = intents.mark;
    for (const { verbs, fails } of jobs) {
      run('SAVEPOINT job', []);
      const mark = intents.mark;
      for (const { verb, value } of verbs) this.#do(verb, value, run, intents);
      if (fails) intents.rollBack(mark);
      db.exec(fails ? 'ROLLBACK TO job; RELEASE job' : 'RELEASE job');
    }
    db.exec(commits ? 'COMMIT' : 'ROLLBACK');
    if (!commits) intents.rollBack(before);
    if (intents.isLong) intents.forget();
  }

  #do(verb: string, value: number, run: Statements, intents: RecentIntents): void {
    switch (verb) {
      case 'add': {
        const id = `r${(this.#ids += 1)}`;
        run('INSERT INTO key_records VALUES (?, ?, ?)', [id, `f${value}`, this.#clock]);
        return;
      }
      case 'remove':
        run('DELETE FROM key_records WHERE id = ?', [`r${value}`]);
        return;
      case 'index':
        if (intents.isIndexDue()) intents.index(this.#clock);
        return;
      default: {
        const sql = 'SELECT id FROM key_records WHERE fingerprint = ? AND created_at > ?';
        const since = this.#clock - DAY;
        const found = new Set(intents.find(`f${value}`, since));
        const missing = run(sql, [`f${value}`, since]).rows.filter(
          ({ id }) => !found.has(String(id)),
        );
        if (missing.length > 0) this.wrong.push(...missing);
      }
    }
  }

  close(): void {
    for (const { db } of this.#connections) db.close();
  }
}

const rowsIn = (path: string) => read(path, 'SELECT count(*) AS n FROM key_record_intents');
const indexedIn = (path: string) => read(path, 'SELECT count(*) AS n FROM key_record_intent_index');

describe('recent intents', () => {
  it('give what the key records themselves say, whatever three processes do and undo', () => {
    let runs = 0;
    fc.assert(
      fc.property(fc.array(STEP, { minLength: 60, maxLength: 150 }), (steps) => {
        const path = join(folder, `model-${(runs += 1)}.sqlite`);
        const model = new IntentsModel(path);
        for (const step of steps) model.take(step);
        expect(model.wrong).toEqual([]);
        model.close();
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('go into the index by the thousand, and are found there by a process that comes later', async () => {
    const path = join(folder, 'many.sqlite');
    const last = `a-${MOST_FOLLOWED - 1}`;
    {
      await using store = await openSqliteStore(path);
      await add(store, MOST_FOLLOWED, now, 'a');
      await sleep(1100);
      await store.transaction((tx) => tx.now());
      expect(await find(store, last)).toBe(last);
      expect(indexedIn(path)).toBe(0);
      await add(store, 1, now, 'b');
      await untilIndexed(store, path, MOST_FOLLOWED);
      expect(await find(store, 'a-17')).toBe('a-17');
      expect(await find(store, 'b-0')).toBe('b-0');
    }
    await using store = await openSqliteStore(path);
    expect(await find(store, last)).toBe(last);
    expect(await find(store, 'b-0')).toBe('b-0');
    expect(await find(store, 'b-0', now)).toBeUndefined();
  }, 30_000);

  it('are indexed by whoever searches first, however many nobody has searched', async () => {
    const path = join(folder, 'unsearched.sqlite');
    await using keyed = await openSqliteStore(path);
    await using store = await openSqliteStore(path);
    expect(await find(store, 'early')).toBeUndefined();
    const count = 3 * MOST_FOLLOWED + 5;
    await add(keyed, count, now, 'k');
    expect(await find(store, 'k-0')).toBe('k-0');
    expect(await find(store, `k-${count - 1}`)).toBe(`k-${count - 1}`);
    await add(keyed, 1, now, 'late');
    expect(await find(store, 'late-0')).toBe('late-0');
    expect(count + 1 - indexedIn(path)).toBeLessThanOrEqual(MOST_FOLLOWED);
  }, 30_000);

  it.each([MOST_FOLLOWED, MOST_FOLLOWED + 1, MOST_FOLLOWED + 2, 2 * MOST_FOLLOWED + 7])(
    'are dropped when they are old (%i), and no number is given twice',
    async (count) => {
      const path = join(folder, `old-${count}.sqlite`);
      await using store = await openSqliteStore(path);
      await add(store, count, now - 3 * DAY, 'old');
      await sleep(1100);
      // A search comes before the first new record.
      expect(await find(store, 'new-0')).toBeUndefined();
      for (let commits = 0; commits < 5; commits += 1) {
        await store.transaction((tx) => tx.now());
        await sleep(5);
      }
      expect(rowsIn(path)).toBeGreaterThan(0);
      await add(store, 3, now, 'new');
      expect(read(path, 'SELECT max(n) AS n FROM key_record_intents')).toBe(count + 3);
      expect(await find(store, 'new-0')).toBe('new-0');
      expect(await find(store, 'new-2')).toBe('new-2');
      await using other = await openSqliteStore(path);
      expect(await find(other, 'new-1')).toBe('new-1');
    },
    30_000,
  );

  it('are few in the end, however many there were', async () => {
    const path = join(folder, 'few.sqlite');
    await using store = await openSqliteStore(path);
    await add(store, 4 * MOST_FOLLOWED, now - 3 * DAY, 'old');
    await add(store, 1, now, 'new');
    const commit = () => store.transaction((tx) => tx.now());
    await expect
      .poll(() => commit().then(() => rowsIn(path)), { timeout: 10_000 })
      .toBeLessThanOrEqual(2 * MOST_FOLLOWED);
    expect(indexedIn(path)).toBeLessThan(rowsIn(path));
    expect(await find(store, 'new-0')).toBe('new-0');
  }, 30_000);

  it('are not dropped while one of them is recent, where the clock went backwards', async () => {
    const path = join(folder, 'clock.sqlite');
    await using store = await openSqliteStore(path);
    await add(store, 10, now, 'recent');
    await add(store, 2 * MOST_FOLLOWED, now - 3 * DAY, 'old');
    await untilIndexed(store, path, MOST_FOLLOWED);
    expect(await find(store, 'recent-3')).toBe('recent-3');
    expect(rowsIn(path)).toBe(2 * MOST_FOLLOWED + 10);
  }, 30_000);

  it('are still right when the transaction that indexes them fails', async () => {
    const path = join(folder, 'failing.sqlite');
    await using store = await openSqliteStore(path);
    const prepare = Reflect.get(DatabaseSync.prototype, 'prepare');
    const spy = vi.spyOn(DatabaseSync.prototype, 'prepare');
    let failed = 0;
    spy.mockImplementation(function (this: DatabaseSync, sql: string) {
      if (!sql.includes('INTO key_record_intent_index')) return prepare.call(this, sql);
      failed += 1;
      throw new Error('disk I/O error');
    });
    try {
      await add(store, MOST_FOLLOWED + 1, now, 'x');
      await sleep(1100);
      await store.transaction((tx) => tx.now());
      await expect.poll(() => failed).toBe(1);
      await expect(find(store, 'x-4321')).rejects.toThrow('disk I/O error');
    } finally {
      spy.mockRestore();
    }
    expect(await find(store, 'x-4321')).toBe('x-4321');
    await add(store, 10, now, 'y');
    expect(await find(store, 'x-4321')).toBe('x-4321');
    expect(await find(store, 'y-9')).toBe('y-9');
  }, 30_000);

  it('of a file from before are filled in when it is opened, as far as anybody looks back', async () => {
    const path = join(folder, 'before.sqlite');
    {
      await using store = await openSqliteStore(path);
      await add(store, 3, now, 'kept');
      await add(store, 3, now - 3 * DAY, 'old');
    }
    {
      using db = new DatabaseSync(path);
      db.exec(`DROP TRIGGER key_record_intents_add; DROP TABLE key_record_intents;
        DROP TABLE key_record_intent_index; DELETE FROM counters WHERE name = 'intents indexed';
        CREATE INDEX key_records_alike ON key_records (fingerprint, created_at)`);
    }
    await using store = await openSqliteStore(path);
    expect(await find(store, 'kept-1')).toBe('kept-1');
    expect(rowsIn(path)).toBe(3);
    await add(store, 1, now, 'new');
    expect(await find(store, 'new-0')).toBe('new-0');
    using db = new DatabaseSync(path);
    const index = "SELECT 1 FROM sqlite_schema WHERE name = 'key_records_alike'";
    expect(db.prepare(index).get()).toBeUndefined();
  });
});
