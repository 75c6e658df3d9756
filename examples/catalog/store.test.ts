import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { makeCatalogue } from './seed.ts';
import type { Store } from './store.ts';
import { openStore } from './store.ts';

const GTIN = '09506000134352';
const NOON = new Date('2026-07-15T12:00:00Z');
const LATER = new Date('2026-07-16T12:00:00Z');
const ACTION = {
  user: 'ada',
  action: 'qr_url.generated',
  gtin14: GTIN,
  url: `https://id.example.com/01/${GTIN}`,
};

let folder: string;
let path: string;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  path = join(folder, 'catalog.db');
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
  it('fills a new file with the whole catalogue, and gives it back as it was', () => {
    for (const { brandId: _brand, ...product } of makeCatalogue().products) {
      expect(store.findProduct(product.gtin)).toEqual(product);
    }
  });

  it('fills a file once: what was recorded is there after it is opened again', () => {
    store.recordUserAction(ACTION, NOON);
    store.close();
    store = openStore(path);
    expect(store.userActions()).toMatchObject([ACTION]);
    expect(count('products')).toBe(makeCatalogue().products.length);
  });

  it('lets several processes open a new file at the same time', async () => {
    const fresh = join(folder, 'fresh.db');
    const program = `
      import { openStore } from ${JSON.stringify(new URL('store.ts', import.meta.url).href)};
      const store = openStore(${JSON.stringify(fresh)});
      console.log(store.findProduct('${GTIN}').gtin);
      store.close();`;
    const runs = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', program]),
    );
    const outputs = await Promise.all(runs);
    expect(outputs.map(({ stdout }) => stdout.trim())).toEqual([GTIN, GTIN, GTIN, GTIN]);
  });

  it('works in memory, each store for itself', () => {
    using one = openStore(':memory:');
    using other = openStore(':memory:');
    one.recordUserAction(ACTION, NOON);
    expect(one.userActions()).toHaveLength(1);
    expect(other.userActions()).toHaveLength(0);
  });

  it('refuses a file of another version, and leaves it alone', () => {
    store.close();
    peek((db) => db.exec('PRAGMA user_version = 99'));
    expect(() => openStore(path)).toThrow(/version 99/);
    expect(count('products')).toBe(makeCatalogue().products.length);
  });

  it('writes ahead, and closes more than once without harm', () => {
    expect(peek((db) => db.prepare('PRAGMA journal_mode').get())).toEqual({ journal_mode: 'wal' });
    store.close();
    expect(() => store.close()).not.toThrow();
  });
});

describe('findProduct', () => {
  it.each(['09506000134353', '9506000134352', '', "' OR 1=1 --", '\0', '0'.repeat(100_000)])(
    'finds nothing for %j',
    (text) => {
      expect(store.findProduct(text)).toBeUndefined();
      expect(store.findRules({ gtin14: text })).toEqual([]);
    },
  );

  it('writes nothing, and neither do the other verbs that find', () => {
    peek((db) => {
      const version = () => db.prepare('PRAGMA data_version').get();
      const before = version();
      store.findProduct(GTIN);
      store.findRules({ gtin14: GTIN, lot: 'LOT42', serial: 'SN-0001' });
      store.userActions();
      expect(version()).toEqual(before);
    });
  });

  it('gives frozen data', () => {
    const product = store.findProduct(GTIN);
    expect(Object.isFrozen(product) && Object.isFrozen(product?.gpc)).toBe(true);
  });
});

describe('recordUserAction', () => {
  it('records what a user did, with the time', () => {
    const userAction = store.recordUserAction(ACTION, NOON);
    expect(userAction).toEqual({ id: 1, at: NOON.toISOString(), ...ACTION });
    expect(store.userActions()).toEqual([userAction]);
  });

  it('records the same again as another action, with its own time', () => {
    store.recordUserAction(ACTION, NOON);
    store.recordUserAction(ACTION, LATER);
    expect(store.userActions()).toEqual([
      { id: 2, at: LATER.toISOString(), ...ACTION },
      { id: 1, at: NOON.toISOString(), ...ACTION },
    ]);
  });

  it('keeps hostile text as text', () => {
    const user = `'); DROP TABLE user_actions; --\0\u202e`;
    store.recordUserAction({ ...ACTION, user }, NOON);
    expect(store.userActions({ user })).toMatchObject([{ user }]);
  });

  it.each([{ user: '' }, { user: 'a'.repeat(256) }, { gtin14: '123' }, { url: 'h'.repeat(513) }])(
    'refuses what can be no action: %#',
    (wrong) => {
      expect(() => store.recordUserAction({ ...ACTION, ...wrong }, NOON)).toThrow(/CHECK/);
      expect(store.userActions()).toEqual([]);
    },
  );
});

describe('userActions', () => {
  it('lists newest first, of one user or of all, up to a limit', () => {
    for (const [at, user] of ['ada', 'bob', 'ada'].entries()) {
      store.recordUserAction({ ...ACTION, user, url: `${ACTION.url}/21/${at}` }, NOON);
    }
    expect(store.userActions().map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(store.userActions({ user: 'ada' }).map(({ id }) => id)).toEqual([3, 1]);
    expect(store.userActions({ limit: 1 }).map(({ id }) => id)).toEqual([3]);
    expect(store.userActions({ limit: -1 })).toEqual([]);
  });
});

function count(table: string): number {
  return Number(peek((db) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get())?.['n']);
}
