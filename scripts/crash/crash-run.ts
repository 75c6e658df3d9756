/**
 * Real processes, really killed while they spend: pays with many keys at once, kills tills at random
 * moments, retries every call with its key, and then counts what the processor charged.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { openProcessorChild } from '../../examples/imagery/processor-child.ts';
import { toKeyRecordId } from '../../src/ledger/idempotency/key-records.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { OpenLedger } from '../../src/ledger/open-ledger.ts';
import { openTills } from './tills.ts';

export interface CrashOptions {
  readonly kills: number;
  /** The address of a PostgreSQL ledger; without one, SQLite in its own folder. */
  readonly postgres?: string;
  readonly inFlight?: number;
  readonly progress?: (kills: number, spends: number) => void;
}

export interface CrashResult {
  readonly kills: number;
  readonly spends: number;
  /** Told that it may have happened; charged once or not at all. */
  readonly unknown: number;
  readonly double: number;
  /** Answered as done, but not charged, not settled or without a receipt. */
  readonly lost: number;
}

interface Spend {
  readonly operation: string;
  readonly key: string;
  readonly amount: number;
  ended: 'no' | 'paid' | 'unknown';
}

const MOST_WAITS = 100;

export async function crashRun(options: CrashOptions): Promise<CrashResult> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-crash-'));
  const charges = join(folder, 'processor.sqlite');
  const address = options.postgres ?? `sqlite:${join(folder, 'ledger.sqlite')}`;
  const key = randomBytes(32);
  try {
    await using ledger = await openLedger(address, { key });
    await using processor = await openProcessorChild({ database: charges });
    const env = { LEDGER: address, LEDGER_KEY: key.toString('base64'), PROCESSOR: processor.url };
    await using tills = await openTills(3, env, Math.random);
    const spends: Spend[] = [];
    const done = { killing: false };
    const payers = Array.from({ length: options.inFlight ?? 12 }, async () => {
      while (!done.killing) {
        const spend = newSpend(spends.length);
        spends.push(spend);
        await payUntilSettled(spend, tills.pick);
      }
    });
    let kills = 0;
    let ended = 0;
    while (kills < options.kills) {
      await wait(20 + Math.random() * 380);
      // On a busy machine a till needs longer than that to start; a kill should hit one that is working.
      for (let waits = 0; waits < MOST_WAITS && countEnded(spends) === ended; waits += 1) {
        await wait(50);
      }
      ended = countEnded(spends);
      if (tills.kill()) kills += 1;
      options.progress?.(kills, spends.length);
    }
    done.killing = true;
    await Promise.all(payers);
    return { kills, spends: spends.length, ...(await count(spends, charges, ledger)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countEnded(spends: readonly Spend[]): number {
  return spends.filter((spend) => spend.ended !== 'no').length;
}

function newSpend(index: number): Spend {
  const operation = index % 2 === 0 ? 'pay_dedup' : 'pay_opaque';
  return { operation, key: randomUUID(), amount: index + 1, ended: 'no' };
}

/** What any careful client does: retry with the same key until it knows the outcome. */
async function payUntilSettled(spend: Spend, pick: () => string): Promise<void> {
  const body = JSON.stringify({ amount: spend.amount });
  const headers = { 'content-type': 'application/json', 'idempotency-key': spend.key };
  while (spend.ended === 'no') {
    try {
      // An empty address fails like a dead one.
      const url = `${pick()}/op/${spend.operation}`;
      const signal = AbortSignal.timeout(5000);
      const response = await fetch(url, { method: 'POST', headers, body, signal });
      const { code } = (await response.json()) as { readonly code?: string };
      if (response.ok) spend.ended = 'paid';
      else if (code === 'outcome-unknown' || code === 'outcome-doubtful') spend.ended = 'unknown';
      else await wait(30);
    } catch {
      await wait(30);
    }
  }
}

async function count(
  spends: readonly Spend[],
  charges: string,
  ledger: OpenLedger,
): Promise<Pick<CrashResult, 'unknown' | 'double' | 'lost'>> {
  using database = new DatabaseSync(charges, { readOnly: true });
  const rows = database.prepare('SELECT amount_cents AS amount FROM charges').all();
  const byAmount = Map.groupBy(rows, ({ amount }) => Number(amount));
  const [settled, receipted] = await ledger.store.transaction(async (tx) => [
    idsIn(await tx.execute("SELECT id FROM key_records WHERE state = 'SUCCEEDED'")),
    idsIn(await tx.execute("SELECT key_record AS id FROM receipts WHERE outcome = 'success'")),
  ]);
  const isKept = ({ operation, key, amount }: Spend): boolean => {
    const keyRecord = toKeyRecordId({ tenant: '', principal: '', operation }, key);
    return byAmount.has(amount) && settled.has(keyRecord) && receipted.has(keyRecord);
  };
  return {
    unknown: spends.filter(({ ended }) => ended === 'unknown').length,
    double: [...byAmount.values()].filter((each) => each.length > 1).length,
    lost: spends.filter((spend) => spend.ended === 'paid' && !isKept(spend)).length,
  };
}

function idsIn(rows: readonly Record<string, unknown>[]): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => String(id)));
}
