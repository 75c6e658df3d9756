/** Ten thousand ways to tamper with a log, every one of them found; an untouched log is left alone. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogAudit, LogPage } from '../../src/ledger/receipts/check-log.ts';
import { checkLog } from '../../src/ledger/receipts/check-log.ts';
import { readCheckpointFile } from '../../src/ledger/receipts/checkpoint-file.ts';
import {
  originOf,
  readSignedCheckpoint,
  signCheckpoint,
} from '../../src/ledger/receipts/checkpoint-note.ts';
import { rootOf } from '../../src/lib/merkle.ts';
import type { CheckpointRow, ReceiptRow } from '../../src/ledger/tables.ts';
import { forge, KEY, KEYS, PUBLIC_KEY, receiptOf } from './audit-support.ts';

interface Log {
  readonly rows: readonly ReceiptRow[];
  readonly checkpoints: readonly CheckpointRow[];
  readonly counter: number;
}

const RECEIPTS = 60;
const TAMPERINGS = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-tampering-'));
let log: Log;
let kept: readonly string[];

beforeAll(async () => {
  const checkpointFile = join(folder, 'checkpoints.txt');
  {
    await using ledger = await openLedger('sqlite::memory:', { key: KEY, checkpointFile });
    for (let index = 0; index < RECEIPTS; index += 1) {
      await ledger.record({ receipt: receiptOf(index), args: { index } });
      if (index === 24 || index === 49) await ledger.checkpoint();
    }
    await ledger.checkpoint();
    log = await ledger.store.transaction(async (tx) => ({
      rows: await tx.list('receipts', { orderBy: 'seq', limit: 1000 }),
      checkpoints: await tx.list('checkpoints', { orderBy: 'size', limit: 1000 }),
      counter: (await tx.find('counters', { name: 'receipts' }))?.value ?? 0,
    }));
  }
  kept = await readCheckpointFile(checkpointFile);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function audit({ rows, checkpoints, counter }: Log): Promise<LogAudit> {
  async function* pages(): AsyncGenerator<LogPage, void> {
    yield { rows, counter };
  }
  return checkLog(pages(), { publicKey: PUBLIC_KEY, checkpoints, kept });
}

/** The same numbers in every run, so that a failure can be looked at. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;

const COLUMNS = [
  'seq',
  'id',
  'at',
  'operation',
  'tier',
  'open_world',
  'principal',
  'tenant',
  'outcome',
  'key_record',
  'server',
  'decision',
  'approval',
  'body',
  'leaf',
] as const;

function changeOne<T>(list: readonly T[], at: number, change: (value: T) => T): readonly T[] {
  return list.map((value, index) => (index === at ? change(value) : value));
}

/** As a forger would who makes the numbers fit again. */
function renumber(rows: readonly ReceiptRow[]): readonly ReceiptRow[] {
  return rows.map((row, seq) => (row.seq === seq ? row : forge(row, { seq })));
}

function flip(text: string, random: Random): string {
  const at = random(text.length);
  return `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;
}

function editCell(row: ReceiptRow, random: Random): ReceiptRow {
  const column = COLUMNS[random(COLUMNS.length)] ?? 'seq';
  const value = row[column];
  const changed = typeof value === 'number' ? value + 1 + random(1000) : flip(`${value} `, random);
  return { ...row, [column]: changed };
}

const FORGERIES = [
  { outcome: 'forbidden' },
  { principal: 'nobody' },
  { tier: 'compute' },
  { openWorld: true, reach: 'user-url' },
  { milliseconds: 99_999 },
  { at: '2020-01-01T00:00:00.000Z' },
  { extra: 'a field more' },
] as const;

const TAMPERS: Readonly<Record<string, (log: Log, random: Random) => Log>> = {
  'edits a cell': (all, random) => ({
    ...all,
    rows: changeOne(all.rows, random(RECEIPTS), (row) => editCell(row, random)),
  }),
  'edits a receipt and all that repeats it': (all, random) => ({
    ...all,
    rows: changeOne(all.rows, random(RECEIPTS), (row) =>
      forge(row, FORGERIES[random(FORGERIES.length)] ?? {}),
    ),
  }),
  'removes receipts': (all, random) => {
    const [from, count] = [random(RECEIPTS), 1 + random(5)];
    return { ...all, rows: all.rows.toSpliced(from, count) };
  },
  'removes receipts and closes the gap': (all, random) => {
    const rows = renumber(all.rows.toSpliced(random(RECEIPTS), 1 + random(5)));
    return { ...all, rows, counter: rows.length };
  },
  'puts a receipt in between': (all, random) => {
    const source = all.rows[random(RECEIPTS)];
    if (source === undefined) return all;
    const forged = forge(source, { id: 'forged' });
    const rows = renumber(all.rows.toSpliced(random(RECEIPTS), 0, forged));
    return { ...all, rows, counter: rows.length };
  },
  'repeats a receipt': (all, random) => {
    const [from, to] = [random(RECEIPTS), random(RECEIPTS + 1)];
    return { ...all, rows: all.rows.toSpliced(to, 0, ...all.rows.slice(from, from + 1)) };
  },
  'appends a receipt beside the counter': (all) => {
    const [last] = all.rows.slice(-1);
    if (last === undefined) return all;
    return { ...all, rows: [...all.rows, forge(last, { seq: RECEIPTS, id: 'forged' })] };
  },
  'swaps two receipts': (all, random) => {
    const [from, to] = twoOf(random);
    return { ...all, rows: swapped(all.rows, from, to) };
  },
  'swaps two receipts and their numbers': (all, random) => {
    const [from, to] = twoOf(random);
    return { ...all, rows: renumber(swapped(all.rows, from, to)) };
  },
  'cuts off the end': (all, random) => ({ ...all, rows: all.rows.slice(0, random(RECEIPTS)) }),
  'cuts off the end with counter and checkpoints': (all, random) => {
    const counter = random(RECEIPTS);
    const checkpoints = all.checkpoints.filter(({ size }) => size <= counter);
    return { rows: all.rows.slice(0, counter), checkpoints, counter };
  },
  'edits a checkpoint': (all, random) => ({
    ...all,
    checkpoints: changeOne(all.checkpoints, random(all.checkpoints.length), (row) =>
      random(2) === 0
        ? { ...row, note: flip(row.note, random) }
        : { ...row, size: row.size + 1 + random(5) },
    ),
  }),
  'removes a checkpoint': (all, random) => ({
    ...all,
    checkpoints: all.checkpoints.toSpliced(random(all.checkpoints.length), 1),
  }),
  'moves the counter': (all, random) => ({ ...all, counter: all.counter + 1 + random(9) }),
  'rewrites everything with the key of the ledger': (all, random) => {
    const from = random(RECEIPTS);
    const rows = all.rows.map((row, seq) => (seq < from ? row : forge(row, { principal: 'eve' })));
    return { ...all, rows, checkpoints: all.checkpoints.map((row) => signAnew(row, rows)) };
  },
};

function twoOf(random: Random): readonly [number, number] {
  const from = random(RECEIPTS);
  return [from, (from + 1 + random(RECEIPTS - 1)) % RECEIPTS];
}

function swapped<T>(list: readonly T[], from: number, to: number): readonly T[] {
  return list.map(
    (value, index) => list[index === from ? to : index === to ? from : index] ?? value,
  );
}

function signAnew({ size, at }: CheckpointRow, rows: readonly ReceiptRow[]): CheckpointRow {
  const leaves = rows.slice(0, size).map(({ leaf }) => Buffer.from(leaf, 'hex'));
  const checkpoint = { origin: originOf(rows[0]?.leaf ?? ''), size, root: rootOf(leaves) };
  return { size, at, note: signCheckpoint(checkpoint, KEYS.signingKey) };
}

describe('an audit', () => {
  it('finds nothing in a log that nobody touched', async () => {
    expect(log.checkpoints.map(({ size }) => size)).toEqual([25, 50, 60]);
    expect(kept).toEqual(log.checkpoints.map(({ note }) => note));
    expect(await audit(log)).toMatchObject({
      receipts: RECEIPTS,
      signed: RECEIPTS,
      checkpoints: 3,
      forgotten: 0,
      findings: [],
      unlisted: 0,
    });
  });

  it('lets arguments be forgotten, and says so', async () => {
    const rows = log.rows.map((row, seq) => (seq % 2 === 0 ? row : { ...row, salt: '', args: '' }));
    expect(await audit({ ...log, rows })).toMatchObject({ forgotten: RECEIPTS / 2, findings: [] });
  });

  it(`finds each of ${TAMPERINGS} tamperings`, async () => {
    const names = Object.keys(TAMPERS);
    const random = randomFrom(20_261_115);
    const missed: string[] = [];
    for (let round = 0; round < TAMPERINGS; round += 1) {
      const name = names[round % names.length] ?? '';
      const tampered = TAMPERS[name]?.(log, random) ?? log;
      const { findings } = await audit(tampered);
      if (findings.length === 0) missed.push(`${round}: ${name}`);
    }
    expect(missed).toEqual([]);
  }, 180_000);

  it.each([
    [
      'edits a cell',
      ['leaf-mismatch', 'body-mismatch', 'gap', 'order', 'duplicate', 'root-mismatch'],
    ],
    ['edits a receipt and all that repeats it', ['root-mismatch']],
    ['appends a receipt beside the counter', ['counter-mismatch']],
    ['cuts off the end with counter and checkpoints', ['truncated']],
    ['removes a checkpoint', ['checkpoint-missing']],
    ['rewrites everything with the key of the ledger', ['checkpoint-inconsistent']],
  ])('tells what it is when somebody %s', async (name, codes) => {
    const { findings } = await audit(TAMPERS[name]?.(log, randomFrom(7)) ?? log);
    const told = findings.map(({ code }) => code);
    expect(told.some((code) => codes.includes(code))).toBe(true);
  });

  it('tells where: between which checkpoints, and from which receipt on', async () => {
    const rows = changeOne(log.rows, 30, (row) => forge(row, { outcome: 'forbidden' }));
    const { findings, signed } = await audit({ ...log, rows });
    expect(findings).toEqual([
      {
        kind: 'finding',
        code: 'root-mismatch',
        seq: 25,
        message: 'Some of the receipts 25 to 49 are not the signed ones.',
      },
    ]);
    expect(signed).toBe(25);
  });

  it('takes no checkpoint of another key, and lists no more than a thousand findings', async () => {
    const other = generateKeyPairSync('ed25519');
    const [first] = log.checkpoints;
    const read = readSignedCheckpoint(first?.note ?? '', PUBLIC_KEY);
    if (read.kind === 'refused') throw new Error(read.detail);
    const note = signCheckpoint(read.checkpoint, other.privateKey);
    const checkpoints = log.checkpoints.map((row, index) => (index === 0 ? { ...row, note } : row));
    const { findings } = await audit({ ...log, checkpoints });
    expect(findings.map(({ code }) => code)).toEqual(['bad-signature', 'checkpoint-missing']);
    const rows = Array.from({ length: 40 }, () => log.rows.map((row) => ({ ...row, leaf: '' })));
    const flood = await audit({ ...log, rows: rows.flat() });
    expect(flood.findings).toHaveLength(1000);
    expect(flood.unlisted).toBeGreaterThan(1000);
  });
});
