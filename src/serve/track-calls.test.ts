/** Closing a transport while the ledger is slow: another connection writes to its file meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { creates } from '../effect/acts.ts';
import { defineOperation } from '../effect/define-operation.ts';
import type { Recorded } from '../invoke/outcome.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { createServer } from './create-server.ts';
import type { TrackedCalls } from './track-calls.ts';
import { trackCalls } from './track-calls.ts';

let folder: string;
let ledger: OpenLedger;
let other: DatabaseSync;
let reports: string[];
let runs: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-calls-'));
  const file = join(folder, 'ledger.sqlite');
  ledger = await openLedger(`sqlite:${file}`, { report: () => {} });
  other = new DatabaseSync(file);
  reports = [];
  runs = 0;
});

afterEach(async () => {
  if (other.isTransaction) other.exec('ROLLBACK');
  other.close();
  await ledger[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function open(graceMs: number, run: () => void = () => {}): TrackedCalls & { call: Call } {
  const operation = defineOperation({
    name: 'create_note',
    title: 'Create a note',
    description: 'Creates a note.',
    input: z.object({}),
    effect: creates('note'),
    run: () => {
      runs += 1;
      run();
      return { run: runs };
    },
  });
  const server = createServer({
    name: 's',
    version: '1',
    operations: [operation],
    ledger,
    recordPatienceMs: 2000,
    report: (message) => void reports.push(message),
  });
  const calls = trackCalls(server, graceMs);
  const call: Call = () =>
    calls.server.invoke({
      operation,
      args: {},
      identity: { kind: 'anonymous' },
      via: 'in-process',
      signal: new AbortController().signal,
      progress: async () => {},
    });
  return { ...calls, call };
}

type Call = () => Promise<Recorded>;

async function receipts(): Promise<readonly string[]> {
  await ledger.flush();
  const rows = await ledger.store.transaction((tx) =>
    tx.execute('SELECT decision, outcome FROM receipts ORDER BY seq'),
  );
  return rows.map((row) => [row['decision'], row['outcome']].join(' '));
}

describe('a transport that closes while the ledger is busy', () => {
  it.each([true, false])(
    'begins no call after the time of running calls is over (end of input: %s)',
    async (isLast) => {
      const calls = open(200);
      other.exec('BEGIN IMMEDIATE');
      const pending = calls.call();
      await wait(50);
      const drained = calls.drain(isLast);
      await wait(500);
      other.exec('COMMIT');
      expect(await pending).toMatchObject({ problem: { code: 'unavailable' } });
      await drained;
      expect(runs).toBe(0);
      expect(await receipts()).toEqual(['abandoned unavailable']);
    },
  );

  it('does not wait for it again and again, and says what has no receipt', async () => {
    const calls = open(200, () => {
      if (runs === 3) other.exec('BEGIN IMMEDIATE');
    });
    const answers = await Promise.all([calls.call(), calls.call(), calls.call()]);
    expect(answers).toMatchObject(
      answers.map(() => ({ kind: 'failure', problem: { code: 'receipt-lost' } })),
    );
    const began = performance.now();
    await calls.drain();
    expect(performance.now() - began).toBeLessThan(8000);
    expect(reports).toContainEqual(expect.stringContaining('3 calls have no receipt'));
    other.exec('COMMIT');
    await expect.poll(receipts, { timeout: 15_000 }).toHaveLength(3);
  }, 30_000);
});
