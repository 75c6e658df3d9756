/** The key of a ledger: read strictly, created once and whole, and always the one the ledger was begun with. */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLedger } from 'plimsoll/server';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findMasterKey, takeKeys } from '../../src/ledger/master-key.ts';
import { openStore } from '../../src/ledger/open-ledger.ts';
import type { Postgres } from '../support/postgres.ts';
import { openPostgres } from '../support/postgres.ts';
import { receiptOf } from './audit-support.ts';

const DISK_BYTES = 65_536;
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-ledger-key-'));
const [KEY, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
let count = 0;

afterEach(() => void vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

function newFile(): string {
  count += 1;
  return join(folder, `${count}.sqlite`);
}

/** Opens the ledger, writes a receipt, and closes it, which signs a checkpoint. */
async function use(address: string, key?: Buffer): Promise<void> {
  await using ledger = await openLedger(address, {
    ...(key !== undefined && { key }),
    report: () => {},
  });
  await ledger.record({ receipt: receiptOf(0), args: {} });
}

async function plimsoll(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const options = { timeout: 60_000, env: { ...process.env, ...env } };
  return new Promise((done) => {
    execFile(resolve('bin/plimsoll'), args, options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

describe.each(['SQLite', 'PostgreSQL'])('a ledger on %s', (kind) => {
  let postgres: Postgres | undefined;
  let address = '';

  beforeAll(async () => {
    postgres = kind === 'SQLite' ? undefined : await openPostgres();
    address = postgres?.url ?? `sqlite:${newFile()}`;
    await use(address, KEY);
  });
  afterAll(async () => postgres?.[Symbol.asyncDispose]());

  it('is opened with the key it was begun with, and with no other', async () => {
    await use(address, KEY);
    await expect(use(address, OTHER)).rejects.toThrow(/is not the key of this ledger.*begun with/);
    vi.stubEnv('PLIMSOLL_LEDGER_KEY', OTHER.toString('base64'));
    await expect(use(address)).rejects.toThrow('PLIMSOLL_LEDGER_KEY is not the key of this ledger');
    vi.stubEnv('PLIMSOLL_LEDGER_KEY', `${KEY.toString('base64')}\n`);
    await use(address);
  });

  it.each(['verify', 'show'])('audit %s names a wrong key, and no tampering', async (command) => {
    const words = ['audit', command, ...(command === 'show' ? ['0'] : []), '--ledger', address];
    const wrong = await plimsoll(words, { PLIMSOLL_LEDGER_KEY: OTHER.toString('base64') });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/^plimsoll: PLIMSOLL_LEDGER_KEY is not the key of this ledger/);
    const right = await plimsoll(words, { PLIMSOLL_LEDGER_KEY: KEY.toString('base64') });
    expect([right.code, right.stderr]).toEqual([0, '']);
  });

  it('that several open for the first time at once gets one key', async () => {
    const database = kind === 'SQLite' ? undefined : await openPostgres();
    try {
      const fresh = database?.url ?? `sqlite:${newFile()}`;
      const keys = [KEY, OTHER, KEY, OTHER];
      const ends = await Promise.allSettled(keys.map((key) => use(fresh, key)));
      const opened = new Set(keys.filter((_, index) => ends[index]?.status === 'fulfilled'));
      expect(opened.size).toBe(1);
    } finally {
      await database?.[Symbol.asyncDispose]();
    }
  });
});

describe('a ledger that knows no key yet', () => {
  /** As a ledger was before it remembered its key. */
  function forgetKey(file: string): void {
    const database = new DatabaseSync(file);
    database.exec('DELETE FROM ledger_keys');
    database.close();
  }

  it('takes none that has not signed its newest checkpoint', async () => {
    const file = newFile();
    await use(`sqlite:${file}`, KEY);
    forgetKey(file);
    await expect(use(`sqlite:${file}`, OTHER)).rejects.toThrow('is not the key of this ledger');
    await use(`sqlite:${file}`, KEY);
  });

  it('gets no new one while it has receipts', async () => {
    const file = newFile();
    await use(`sqlite:${file}`);
    forgetKey(file);
    rmSync(`${file}.key`);
    await expect(use(`sqlite:${file}`)).rejects.toThrow('the key of this ledger is missing');
    expect(existsSync(`${file}.key`)).toBe(false);
  });
});

describe('the key file', () => {
  it('is for its owner alone, and one of many who start at once creates it', async () => {
    const file = newFile();
    const source = `import { openLedger } from ${JSON.stringify(resolve('src/ledger/open-ledger.ts'))};
      await (await openLedger(process.argv[1]))[Symbol.asyncDispose]();`;
    const flags = ['--conditions=plimsoll-source', '--input-type=module', '--eval', source];
    const starts = Array.from(
      { length: 4 },
      () =>
        new Promise<string>((done) => {
          const args = [...flags, `sqlite:${file}`];
          execFile(process.execPath, args, (error, _, stderr) =>
            done(error === null ? '' : stderr),
          );
        }),
    );
    expect(await Promise.all(starts)).toEqual(['', '', '', '']);
    expect(statSync(`${file}.key`).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(`${file}.key`, 'utf8'), 'base64')).toHaveLength(32);
    await use(`sqlite:${file}`);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('that is lost is not replaced by another', async () => {
    const file = newFile();
    await use(`sqlite:${file}`);
    rmSync(`${file}.key`);
    const lost = /the key of this ledger is missing: put it into .*\.key or PLIMSOLL_LEDGER_KEY/;
    await expect(use(`sqlite:${file}`)).rejects.toThrow(lost);
    expect(existsSync(`${file}.key`)).toBe(false);
    writeFileSync(`${file}.key`, '');
    await expect(use(`sqlite:${file}`)).rejects.toThrow(lost);
  });

  it('that was left empty at the first start does not stop the next one', async () => {
    const file = newFile();
    writeFileSync(`${file}.key`, '', { mode: 0o644 });
    await use(`sqlite:${file}`);
    expect(statSync(`${file}.key`)).toMatchObject({ size: 44, mode: 0o100600 });
  });

  it('may end in a newline', async () => {
    const file = newFile();
    writeFileSync(`${file}.key`, `${KEY.toString('base64')}\r\n`);
    await use(`sqlite:${file}`);
    await expect(use(`sqlite:${file}`, KEY)).resolves.toBeUndefined();
  });

  const good = randomBytes(32).toString('base64');
  it.each([
    ['is cut short', good.slice(0, 20)],
    ['is no base64', 'correct horse battery staple, and then some more words'],
    ['is base64url', Buffer.alloc(33, 0xfb).toString('base64url')],
    ['lacks its padding', good.replace('=', '')],
    ['has more after its end', `${good}${good}`],
    ['has bits that are ignored', `${good.slice(0, 42)}B=`],
    ['has too few bytes', randomBytes(31).toString('base64')],
  ])('that %s is refused, as in the environment', async (_, text) => {
    const file = newFile();
    writeFileSync(`${file}.key`, text);
    await expect(use(`sqlite:${file}`)).rejects.toThrow(`${file}.key is not a ledger key`);
    expect(readFileSync(`${file}.key`, 'utf8')).toBe(text);
    vi.stubEnv('PLIMSOLL_LEDGER_KEY', text);
    await expect(use(`sqlite:${newFile()}`)).rejects.toThrow('PLIMSOLL_LEDGER_KEY is not a ledger');
    const { code, stderr } = await plimsoll(['audit', 'verify', '--ledger', `sqlite:${file}`]);
    expect(code).toBe(2);
    expect(stderr).not.toContain('    at ');
  });

  it('is not taken from an empty variable', async () => {
    vi.stubEnv('PLIMSOLL_LEDGER_KEY', '');
    await expect(use(`sqlite:${newFile()}`)).rejects.toThrow('PLIMSOLL_LEDGER_KEY is not a ledger');
  });
});

describe('a full disk at the first start', () => {
  const disk = mountDisk();
  afterAll(() => {
    if (disk !== undefined) execFileSync('umount', [disk]);
  });

  it.skipIf(disk === undefined)('leaves no part of a key', async () => {
    const [file, filler] = [join(disk ?? '', 'ledger.key'), join(disk ?? '', 'filler')];
    writeFileSync(filler, Buffer.alloc(DISK_BYTES));
    await using store = await openStore('sqlite::memory:');
    await expect(takeKeys(store, undefined, file)).rejects.toThrow('ENOSPC');
    expect(readdirSync(disk ?? '')).toEqual(['filler']);
    rmSync(filler);
    const { id } = await takeKeys(store, undefined, file);
    expect((await takeKeys(store, findMasterKey(file), file)).id).toBe(id);
    expect(readdirSync(disk ?? '')).toEqual(['ledger.key']);
  });
});

/** A disk of its own, where this user may mount one. */
function mountDisk(): string | undefined {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  try {
    const args = ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk];
    execFileSync('mount', args, { stdio: 'ignore' });
    return disk;
  } catch {
    return undefined;
  }
}
