/** Checkpoints and audits on SQLite and on PostgreSQL, and what only a file can go through. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLedger } from 'plimsoll/server';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/ledger/open-ledger.ts';
import {
  openCheckpointFile,
  readCheckpointFile,
} from '../../src/ledger/receipts/checkpoint-file.ts';
import { Checkpoints } from '../../src/ledger/receipts/checkpoints.ts';
import { verifyLedger } from '../../src/ledger/receipts/verify-ledger.ts';
import type { Store, Tx } from '../../src/ledger/store.ts';
import { withCommitFaults } from '../support/commit-faults.ts';
import type { Postgres } from '../support/postgres.ts';
import { openPostgres } from '../support/postgres.ts';
import { checkpointContract } from './audit-checkpoints.contract.ts';
import { KEY, KEYS, PUBLIC_KEY, receiptOf } from './audit-support.ts';
import { AUDIT_FINDINGS } from '../../src/ledger/receipts/audit-finding.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-checkpoints-'));
let places = 0;
let postgres: Promise<Postgres> | undefined;

afterAll(async () => {
  await (await postgres)?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function newFile(): { readonly file: string; readonly checkpointFile: string } {
  places += 1;
  return {
    file: join(folder, `${places}.sqlite`),
    checkpointFile: join(folder, `${places}.checkpoints.txt`),
  };
}

checkpointContract('SQLite', async () => {
  const { file, checkpointFile } = newFile();
  return { address: `sqlite:${file}`, checkpointFile };
});

checkpointContract('PostgreSQL', async () => {
  postgres ??= openPostgres();
  const { url } = await postgres;
  const { checkpointFile } = newFile();
  {
    await using store = await openStore(url);
    await store.transaction(async (tx) => {
      for (const table of [
        'receipt_log',
        'receipt_index',
        'checkpoints',
        'counters',
        'usage_counts',
        'usage_money',
        'key_records',
      ]) {
        await tx.execute(`DELETE FROM ${table}`);
      }
    });
  }
  return { address: url, checkpointFile };
});

/** Counts the leaves that are read from the store. */
function counting(store: Store): Store & { leaves: number } {
  const counted = {
    kind: store.kind,
    leaves: 0,
    transaction: <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.transaction((tx) =>
        work({
          ...tx,
          execute: async (sql, parameters) => {
            const rows = await tx.execute(sql, parameters);
            counted.leaves += rows.length;
            return rows;
          },
        }),
      ),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
  return counted;
}

describe('a signer', () => {
  const options = { signingKey: KEYS.signingKey, every: 1000, seconds: 60 };

  it('reads every leaf once, however often it signs', async () => {
    await using ledger = await openLedger('sqlite::memory:', { key: KEY });
    const store = counting(ledger.store);
    const signer = await Checkpoints.open(store, { ...options, report: () => {} });
    for (let round = 0; round < 30; round += 1) {
      await ledger.record({ receipt: receiptOf(round * 3), args: {} });
      await signer.sign();
      await signer.sign();
    }
    expect(store.leaves).toBe(30);
    await signer[Symbol.asyncDispose]();
  });

  it.each(['committed', 'lost'] as const)(
    'gets over a commit that did not say what became of it (%s)',
    async (fate) => {
      await using ledger = await openLedger('sqlite::memory:', { key: KEY });
      await ledger.record({ receipt: receiptOf(0), args: {} });
      let transactions = 0;
      const faulty = withCommitFaults(ledger.store, () => {
        transactions += 1;
        return transactions === 3 ? fate : 'fine';
      });
      const told: string[] = [];
      const report = (message: string): void => void told.push(message);
      const signer = await Checkpoints.open(faulty, { ...options, report });
      await signer.sign();
      expect(told).toEqual(['a checkpoint could not be signed']);
      await signer.sign();
      await ledger.record({ receipt: receiptOf(3), args: {} });
      await signer[Symbol.asyncDispose]();
      const audit = await verifyLedger(ledger.store, { publicKey: PUBLIC_KEY });
      expect(audit).toMatchObject({ signed: 2, checkpoints: 2, findings: [] });
      expect(told).toHaveLength(1);
    },
  );
});

describe('the file of checkpoints', () => {
  async function sign(file: string, checkpointFile: string, index: number): Promise<void> {
    await using ledger = await openLedger(`sqlite:${file}`, { key: KEY, checkpointFile });
    await ledger.record({ receipt: receiptOf(index), args: {} });
  }

  it('is only ever appended to, and a note that was cut off at any byte is skipped', async () => {
    const { file, checkpointFile } = newFile();
    await sign(file, checkpointFile, 0);
    const whole = readFileSync(checkpointFile);
    const note = String(whole).slice(0, -1);
    for (let length = 1; length < whole.length - 2; length += 1) {
      const { checkpointFile: torn } = newFile();
      const bytes = Buffer.concat([whole, whole.subarray(0, length)]);
      writeFileSync(torn, bytes);
      expect(await readCheckpointFile(torn)).toEqual([note]);
      const opened = await openCheckpointFile(torn);
      expect(opened.newest).toBe(note);
      await opened.append(note);
      await opened.append(note);
      expect(readFileSync(torn).subarray(0, bytes.length)).toEqual(bytes);
      expect(await readCheckpointFile(torn)).toEqual([note, note, note]);
    }
  });

  it('goes on after a crash between two signatures, in front of an audit too', async () => {
    const { file, checkpointFile } = newFile();
    for (const index of [0, 1, 2]) {
      await sign(file, checkpointFile, index);
      appendFileSync(checkpointFile, readFileSync(checkpointFile, 'utf8').slice(0, 90 + index));
    }
    await sign(file, checkpointFile, 3);
    await using store = await openStore(`sqlite:${file}`);
    const audit = await verifyLedger(store, { publicKey: PUBLIC_KEY, checkpointFile });
    expect(audit).toMatchObject({ signed: 4, checkpoints: 4, findings: [] });
  });

  it.each(['\r\n', '\n'])('may have been rewritten with line ends %j', async (lineEnd) => {
    const { file, checkpointFile } = newFile();
    await sign(file, checkpointFile, 0);
    await sign(file, checkpointFile, 1);
    const text = readFileSync(checkpointFile, 'utf8').replaceAll('\n', lineEnd);
    writeFileSync(checkpointFile, `\u{feff}${text}`);
    await sign(file, checkpointFile, 2);
    expect(readFileSync(checkpointFile, 'utf8').startsWith(`\u{feff}${text}`)).toBe(true);
    await using store = await openStore(`sqlite:${file}`);
    const audit = await verifyLedger(store, { publicKey: PUBLIC_KEY, checkpointFile });
    expect(audit).toMatchObject({ signed: 3, checkpoints: 3, findings: [] });
  });

  it.each([
    ['notes of a person', 'Buy milk.\n\nCall Mia — she has the key.\n'],
    ['a file without line ends', 'x'],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\n'],
    ['bytes', Buffer.from([0, 255, 254, 10, 10, 7])],
    ['a signed note of another kind', 'go.sum database tree\n1\nAAAA\n\n— sum.golang.org AAAA\n'],
  ])('is refused when it is %s, and not changed', async (_, content) => {
    const { file, checkpointFile } = newFile();
    writeFileSync(checkpointFile, content);
    const before = readFileSync(checkpointFile);
    await expect(sign(file, checkpointFile, 0)).rejects.toThrow('is not a checkpoint file');
    await expect(readCheckpointFile(checkpointFile)).rejects.toThrow('is not a checkpoint file');
    expect(readFileSync(checkpointFile)).toEqual(before);
  });

  it('is refused when text of somebody else follows the notes', async () => {
    const { file, checkpointFile } = newFile();
    await sign(file, checkpointFile, 0);
    appendFileSync(checkpointFile, 'Buy milk.\n');
    const before = readFileSync(checkpointFile);
    await expect(sign(file, checkpointFile, 1)).rejects.toThrow('is not a checkpoint file');
    expect(readFileSync(checkpointFile)).toEqual(before);
  });

  it('is refused when it is a folder', async () => {
    await expect(sign(newFile().file, folder, 0)).rejects.toThrow('is not a checkpoint file');
  });

  it('of another ledger is refused at once', async () => {
    const { file, checkpointFile } = newFile();
    {
      await using ledger = await openLedger(`sqlite:${file}`, { key: KEY, checkpointFile });
      await ledger.record({ receipt: receiptOf(0), args: {} });
    }
    const key = Buffer.alloc(32, 1);
    const opening = openLedger(`sqlite:${newFile().file}`, { key, checkpointFile });
    await expect(opening).rejects.toThrow('belongs to another ledger or key');
  });
});

/** Replaces the table by one that takes anything for a number. */
const LOOSE = `PRAGMA legacy_alter_table = ON; CREATE TABLE loose AS SELECT * FROM receipt_log;
  DROP TABLE receipt_log; ALTER TABLE loose RENAME TO receipt_log;`;

describe('an audit of a SQLite file', () => {
  it.each([
    ['UPDATE receipt_index SET at = 9223372036854775807 WHERE seq = 1', 'unreadable'],
    [`${LOOSE} UPDATE receipt_log SET seq = 'one' WHERE seq = 1`, 'order'],
    [`${LOOSE} UPDATE receipt_log SET seq = NULL WHERE seq = 1`, 'order'],
    [`${LOOSE} UPDATE receipt_log SET seq = 1.5 WHERE seq = 1`, 'order'],
    ['UPDATE receipt_log SET body = CAST(body AS BLOB) WHERE seq = 1', 'body-mismatch'],
    ['UPDATE checkpoints SET note = CAST(note AS BLOB)', 'bad-signature'],
    [`UPDATE receipt_index SET tenant = tenant || ' ' WHERE seq = 1`, 'body-mismatch'],
  ])('%s: %s', async (statement, code) => {
    const { file } = newFile();
    {
      await using ledger = await openLedger(`sqlite:${file}`, { key: KEY });
      for (const index of [0, 1, 2]) await ledger.record({ receipt: receiptOf(index), args: {} });
    }
    const database = new DatabaseSync(file);
    database.exec(statement);
    database.close();
    await using store = await openStore(`sqlite:${file}`);
    const { findings } = await verifyLedger(store, { publicKey: PUBLIC_KEY });
    expect(findings.map((finding) => finding.code)).toContain(code);
  });

  it('knows the codes that docs/audit.md lists, and no other', () => {
    const page = readFileSync('docs/audit.md', 'utf8');
    const [, found = ''] = /^## What is found$(.*?)^## /ms.exec(page) ?? [];
    const listed = [...found.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)];
    const told = Object.fromEntries(listed.map(([, code, meaning]) => [code, meaning]));
    expect(told).toEqual({ ...AUDIT_FINDINGS });
  });
});
