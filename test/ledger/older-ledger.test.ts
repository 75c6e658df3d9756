/** A ledger of an older version: only a gate, a server or `plimsoll ledger migrate` changes it. On every store. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runMain } from '../support/run-main.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { openPostgresStore } from '../../src/ledger/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/ledger/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/ledger/store.ts';
import type { Postgres } from '../support/postgres.ts';
import { openPostgres } from '../support/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-older-'));
const key = Buffer.alloc(32, 5);
const file = join(folder, 'ledger.sqlite');
let postgres: Postgres;

const TO_VERSION_5 = [
  'DROP VIEW indexed_receipts',
  'DROP TABLE usage_counts',
  'DROP TABLE usage_money',
  "DELETE FROM counters WHERE name = 'counted-receipts'",
  'DELETE FROM ledger_version WHERE version > 5',
];

const COMMANDS = [
  ['audit', 'list'],
  ['audit', 'list', '--since', '1h'],
  ['audit', 'tail'],
  ['audit', 'show', '0'],
  ['audit', 'verify'],
  ['audit', 'export'],
  ['policy', 'suggest'],
  ['status'],
  ['approve'],
  ['grants'],
  ['console', '--port', '0'],
  ['ledger', 'unknown'],
  ['ledger', 'resolve', 'abcdef', '--as', 'executed', '--reason', 'x'],
  ['ledger', 'sweep'],
];

async function run(...args: readonly string[]): Promise<readonly [unknown, string, string]> {
  const { code, stdout, stderr } = await runMain(args);
  return [code, stdout, stderr];
}

async function makeOlder(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    for (const statement of TO_VERSION_5) await tx.execute(statement);
  });
  await store[Symbol.asyncDispose]();
}

beforeAll(async () => {
  postgres = await openPostgres();
  for (const address of [`sqlite:${file}`, postgres.url]) {
    await (await openLedger(address, { key }))[Symbol.asyncDispose]();
  }
  await makeOlder(await openSqliteStore(file));
  await makeOlder(await openPostgresStore(postgres.url));
}, 60_000);

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const digestOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

async function versionIn(url: string): Promise<unknown> {
  const { default: pg } = await import('pg');
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query('SELECT MAX(version)::int AS version FROM ledger_version');
    return (rows[0] as { readonly version: number }).version;
  } finally {
    await client.end();
  }
}

describe('a ledger of an older version', () => {
  it.each(COMMANDS)('stays as it is: %s %s', async (...command) => {
    vi.stubEnv('PLIMSOLL_LEDGER_KEY', key.toString('base64'));
    const before = digestOf(file);
    for (const address of [`sqlite:${file}`, postgres.url]) {
      const [code, stdout, stderr] = await run(...command, '--ledger', address);
      expect([code, stdout, stderr]).toEqual([
        2,
        '',
        expect.stringMatching(
          /^plimsoll: \S+ has version 5, and this Plimsoll reads version \d+; it was left as it is\. .* plimsoll ledger migrate\n$/,
        ),
      ]);
    }
    expect(digestOf(file)).toBe(before);
    expect(await versionIn(postgres.url)).toBe(5);
  });

  it('is migrated where somebody says so', async () => {
    vi.stubEnv('PLIMSOLL_LEDGER_KEY', key.toString('base64'));
    const copy = join(folder, 'copy.sqlite');
    copyFileSync(file, copy);
    for (const address of [`sqlite:${copy}`, postgres.url]) {
      const migrate = ['ledger', 'migrate', '--ledger', address];
      expect(await run(...migrate)).toEqual([0, 'the ledger was migrated\n', '']);
      expect(await run(...migrate, '--json')).toEqual([0, '{"migrated":false}\n', '']);
      expect(await run('audit', 'verify', '--ledger', address)).toMatchObject([0, /./, '']);
    }
  });

  it('is migrated by what starts on it', async () => {
    const copy = join(folder, 'started.sqlite');
    copyFileSync(file, copy);
    const reopen = (migrates: boolean) => openLedger(`sqlite:${copy}`, { key, migrates });
    await expect(reopen(false)).rejects.toThrow('has version 5');
    await (await reopen(true))[Symbol.asyncDispose]();
    await using ledger = await reopen(false);
    expect(
      await ledger.store.transaction((tx) => tx.execute('SELECT * FROM usage_counts')),
    ).toEqual([]);
  });
});

describe('a database without a ledger', () => {
  it('stays as it is too', async () => {
    vi.stubEnv('PLIMSOLL_LEDGER_KEY', key.toString('base64'));
    const [empty, other] = [join(folder, 'empty.sqlite'), join(folder, 'other.sqlite')];
    writeFileSync(empty, '');
    {
      using database = new DatabaseSync(other);
      database.exec('CREATE TABLE notes (id TEXT)');
    }
    for (const path of [empty, other]) chmodSync(path, 0o644);
    const digests = [empty, other].map(digestOf);
    await using fresh = await openPostgres();
    for (const address of [`sqlite:${empty}`, `sqlite:${other}`, fresh.url]) {
      for (const command of [
        ['audit', 'list'],
        ['ledger', 'migrate'],
        ['console', '--port', '0'],
      ]) {
        const [code, stdout, stderr] = await run(...command, '--ledger', address);
        const reason = expect.stringContaining('there is no ledger in this database; name one');
        expect([code, stdout, stderr]).toEqual([2, '', reason]);
      }
    }
    expect([empty, other].map(digestOf)).toEqual(digests);
    expect([empty, other].map((path) => statSync(path).mode & 0o777)).toEqual([0o644, 0o644]);
    await expect(versionIn(fresh.url)).rejects.toThrow('does not exist');
    await expect(openSqliteStore(join(folder, 'none'), {}, { migrates: false })).rejects.toThrow(
      'there is no ledger',
    );
  });
});
