/**
 * Real processes that spend while they are killed and frozen and their ledger fails: pays with many keys at
 * once, retries every call with its key, and then counts what the processor charged.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { openProcessorChild } from '../../examples/payment-processor/processor-child.ts';
import { toKeyRecordId } from '../../src/ledger/idempotency/key-record-id.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { OpenLedger } from '../../src/ledger/open-ledger.ts';
import { Chance } from '../fuzz/chance.ts';
import type { FaultCounts, FaultName, FaultyLedger, LedgerKind } from './fault.ts';
import { isLedgerFault } from './fault.ts';
import { openFaultyLedger } from './open-faulty-ledger.ts';
import type { Tills } from './tills.ts';
import { openTills } from './tills.ts';

export interface CrashOptions {
  readonly ledger: LedgerKind;
  readonly faults: readonly FaultName[];
  /** How many faults are injected. */
  readonly count: number;
  readonly seed: number;
  readonly inFlight?: number;
  readonly progress?: (faults: number, spends: number) => void;
  /** Told of each spend that must not have ended as it did. */
  readonly report?: (fault: string) => void;
}

export interface CrashResult {
  readonly faults: FaultCounts;
  readonly spends: number;
  /** Told that it may have happened; charged once or not at all. */
  readonly unknown: number;
  readonly double: number;
  /** Answered as done, but not charged, not settled or without a receipt. */
  readonly lost: number;
  /** Not settled, or with an open key record, long after the last fault. */
  readonly stuck: number;
}

interface Spend {
  readonly operation: string;
  readonly key: string;
  readonly amount: number;
  ended: 'no' | 'paid' | 'unknown';
}

const TILLS = 3;
const MOST_WAITS = 100;
/** After the last fault, everything is settled within this long. */
const SETTLE_MS = 30_000;

export async function crashRun(options: CrashOptions): Promise<CrashResult> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-crash-'));
  const charges = join(folder, 'processor.sqlite');
  const key = randomBytes(32);
  const report = options.report ?? (() => {});
  try {
    await using faulty = await openFaultyLedger(options.ledger, folder, options.faults);
    const { address, env: ledgerEnv } = faulty;
    // Creates the tables, so that the first tills find them.
    await (await openLedger(address, { key }))[Symbol.asyncDispose]();
    await using processor = await openProcessorChild({ database: charges });
    const env = { LEDGER: address, LEDGER_KEY: key.toString('base64'), PROCESSOR: processor.url };
    const picking = new Chance(options.seed + 1);
    await using tills = await openTills(TILLS, { ...ledgerEnv, ...env }, () => picking.next());
    const spends: Spend[] = [];
    const ends = { newSpends: false, at: Infinity };
    const payers = Array.from({ length: options.inFlight ?? 12 }, async () => {
      while (!ends.newSpends) {
        const spend = newSpend(spends.length);
        spends.push(spend);
        await payUntilSettled(spend, tills.pick, () => Date.now() > ends.at);
      }
    });
    const faults = await injectAll(options, faulty.inject, tills, spends);
    ends.newSpends = true;
    ends.at = Date.now() + SETTLE_MS;
    await Promise.all(payers);
    await using ledger = await openLedger(address, { key });
    const open = await waitForOpen(ledger, ends.at);
    return {
      faults,
      spends: spends.length,
      ...(await count(spends, charges, ledger, report)),
      stuck: countStuck(spends, open, report),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One after another at random moments; a fault of the ledger takes a while, and others go on meanwhile. */
async function injectAll(
  options: CrashOptions,
  injectInLedger: FaultyInject,
  tills: Tills,
  spends: readonly Spend[],
): Promise<FaultCounts> {
  const chance = new Chance(options.seed);
  const counts: FaultCounts = {};
  const failures: unknown[] = [];
  let pending: Promise<void> | undefined;
  let ended = 0;
  const inject = (name: FaultName): boolean => {
    if (name === 'kill') return tills.kill();
    if (name === 'freeze') return tills.freeze(100 + chance.below(2500));
    if (pending !== undefined) return false;
    pending = injectInLedger(name, chance)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => (pending = undefined));
    return true;
  };
  for (let injected = 0; injected < options.count;) {
    await wait(20 + chance.below(380));
    // On a busy machine a till needs longer than that to start; a fault should hit one that is working.
    for (let waits = 0; waits < MOST_WAITS && countEnded(spends) === ended; waits += 1) {
      await wait(50);
    }
    ended = countEnded(spends);
    const name = chance.pick(options.faults);
    if (!inject(name)) {
      if (isLedgerFault(name)) await pending;
      continue;
    }
    counts[name] = (counts[name] ?? 0) + 1;
    injected += 1;
    options.progress?.(injected, spends.length);
  }
  await pending;
  if (failures.length > 0) throw new AggregateError(failures, 'faults could not be injected');
  return counts;
}

type FaultyInject = FaultyLedger['inject'];

function countEnded(spends: readonly Spend[]): number {
  return spends.filter((spend) => spend.ended !== 'no').length;
}

function newSpend(index: number): Spend {
  const operation = index % 2 === 0 ? 'pay_dedup' : 'pay_opaque';
  return { operation, key: randomUUID(), amount: index + 1, ended: 'no' };
}

/** What any careful client does: retry with the same key until it knows the outcome. */
async function payUntilSettled(
  spend: Spend,
  pick: () => string,
  isOver: () => boolean,
): Promise<void> {
  const body = JSON.stringify({ amount: spend.amount });
  const headers = { 'content-type': 'application/json', 'idempotency-key': spend.key };
  while (spend.ended === 'no' && !isOver()) {
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

/** The amounts, one for each spend, that the processor charged. */
function readCharges(charges: string): ReadonlyMap<number, number> {
  using database = new DatabaseSync(charges, { readOnly: true });
  const rows = database
    .prepare('SELECT amount_cents AS amount, count(*) AS times FROM charges GROUP BY amount_cents')
    .all();
  return new Map(rows.map(({ amount, times }) => [Number(amount), Number(times)]));
}

async function count(
  spends: readonly Spend[],
  charges: string,
  ledger: OpenLedger,
  report: (fault: string) => void,
): Promise<Pick<CrashResult, 'unknown' | 'double' | 'lost'>> {
  const charged = readCharges(charges);
  const [settled, receipted] = await ledger.store.transaction(async (tx) => [
    idsIn(await tx.execute("SELECT id FROM key_records WHERE state = 'SUCCEEDED'")),
    idsIn(await tx.execute("SELECT key_record AS id FROM receipts WHERE outcome = 'success'")),
  ]);
  const double = spends.filter(({ amount }) => (charged.get(amount) ?? 0) > 1);
  const lost = spends.filter((spend) => {
    const id = toId(spend);
    const isKept = charged.has(spend.amount) && settled.has(id) && receipted.has(id);
    return spend.ended === 'paid' && !isKept;
  });
  for (const { operation, amount } of double) {
    report(`${operation} ${amount} was charged ${charged.get(amount)} times`);
  }
  for (const spend of lost) {
    const id = toId(spend);
    report(
      `${spend.operation} ${spend.amount} was answered as done: ${charged.get(spend.amount) ?? 0} charges, ` +
        `settled ${settled.has(id)}, receipt ${receipted.has(id)} (${id})`,
    );
  }
  const unknown = spends.filter(({ ended }) => ended === 'unknown').length;
  return { unknown, double: double.length, lost: lost.length };
}

function toId({ operation, key }: Spend): string {
  return toKeyRecordId({ tenant: '', principal: '', operation }, key);
}

const OPEN = "SELECT id, state FROM key_records WHERE state IN ('CLAIMED', 'DISPATCHED')";

/** The key records that are still open at the end; sweeps of the tills may close some until then. */
async function waitForOpen(
  { store }: OpenLedger,
  until: number,
): Promise<ReadonlyMap<string, string>> {
  for (;;) {
    const rows = await store.transaction((tx) => tx.execute(OPEN));
    if (rows.length === 0 || Date.now() > until) {
      return new Map(rows.map(({ id, state }) => [String(id), String(state)]));
    }
    await wait(200);
  }
}

function countStuck(
  spends: readonly Spend[],
  open: ReadonlyMap<string, string>,
  report: (fault: string) => void,
): number {
  const stuck = spends.filter((spend) => spend.ended === 'no' || open.has(toId(spend)));
  for (const spend of stuck) {
    const state = open.get(toId(spend)) ?? 'not open';
    report(
      `${spend.operation} ${spend.amount} is stuck: key record ${state}, ended ${spend.ended}`,
    );
  }
  return stuck.length;
}

function idsIn(rows: readonly Record<string, unknown>[]): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => String(id)));
}
