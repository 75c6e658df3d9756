/** Ledgers to tamper with, on SQLite and on PostgreSQL: copies of one, and whatever SQL an attacker runs on them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { openPostgres } from '../support/postgres.ts';

export interface AttackedLedger extends AsyncDisposable {
  readonly address: string;
  /** The address of a copy with the same key, on which the statements were run. Nobody may have the original open. */
  copy(...statements: readonly string[]): Promise<string>;
}

/** Runs SQL on a ledger, which a gate may have open. */
export async function execute(address: string, ...statements: readonly string[]): Promise<void> {
  if (address.startsWith('sqlite:')) {
    using database = new DatabaseSync(address.slice('sqlite:'.length), { timeout: 5000 });
    for (const statement of statements) database.exec(statement);
    return;
  }
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function openSqliteLedger(): Promise<AttackedLedger> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-attacked-ledger-'));
  const original = join(folder, 'ledger.sqlite');
  return {
    address: `sqlite:${original}`,
    copy: async (...statements) => {
      const file = join(folder, `${randomUUID()}.sqlite`);
      copyFileSync(original, file);
      copyFileSync(`${original}.key`, `${file}.key`);
      const address = `sqlite:${file}`;
      await execute(address, ...statements);
      return address;
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  };
}

export async function openPostgresLedger(): Promise<AttackedLedger> {
  // The key of a ledger that is shared comes from the environment of everyone who opens it.
  process.env['PLIMSOLL_LEDGER_KEY'] ??= randomBytes(32).toString('base64');
  const postgres = await openPostgres();
  const { url } = postgres;
  const at = (name: string): string => new URL(`/${name}`, url).href;
  const copies: string[] = [];
  return {
    address: url,
    copy: async (...statements) => {
      const name = `copy_${randomUUID().replaceAll('-', '')}`;
      const original = new URL(url).pathname.slice(1);
      await execute(at('postgres'), `CREATE DATABASE ${name} TEMPLATE ${original}`);
      copies.push(name);
      await execute(at(name), ...statements);
      return at(name);
    },
    [Symbol.asyncDispose]: async () => {
      const drops = copies.map((name) => `DROP DATABASE ${name} WITH (FORCE)`);
      await execute(at('postgres'), ...drops);
      await postgres[Symbol.asyncDispose]();
    },
  };
}

export const LEDGERS: readonly {
  readonly name: string;
  readonly open: () => Promise<AttackedLedger>;
}[] = [
  { name: 'SQLite', open: openSqliteLedger },
  { name: 'PostgreSQL', open: openPostgresLedger },
];
