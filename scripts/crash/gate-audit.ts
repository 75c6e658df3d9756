/** Counts after a crash run: what the server did, against what clients were told and what the ledger holds. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { KeyRecord } from '../../src/ledger/idempotency/key-record.ts';
import { toKeyRecord } from '../../src/ledger/idempotency/key-record.ts';
import type { LedgerKeys } from '../../src/ledger/keys.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Store } from '../../src/ledger/store.ts';
import type { KeyRecordRow, ReceiptRow } from '../../src/ledger/tables.ts';
import { toCanonicalJson } from '../../src/lib/canonical-json.ts';
import type { Disturbances } from './disturbances.ts';
import type { Answer, GateSetting } from './gate-client.ts';
import { PRINCIPAL, SERVER } from './gate-client.ts';
import type { CallEnd, SentCall } from './sent-call.ts';
import { KEYLESS } from './sent-call.ts';

export interface GateCounts {
  readonly ends: Readonly<Record<CallEnd, number>>;
  /** Effects that happened more than once for one call. */
  readonly double: number;
  /** Calls that were answered without a receipt, or had an effect of which the ledger does not know. */
  readonly lost: number;
  readonly stuck: number;
  /** Answers shortly before a kill, of reads or while the ledger was away, whose receipts need not be kept. */
  readonly behind: number;
  /** The longest that a call took to settle, once a gate was up after the last crash. */
  readonly slowestMs: number;
}

/** Receipts of reads are written behind the answer; under load, the write itself takes its time. */
const BEHIND_MS = 1000;
/** What could not be written is tried again after a second. */
const RETRY_MS = 2000;

export async function auditRun(
  calls: readonly SentCall[],
  { folder, ledger: address, disturbances }: GateSetting,
  key: Buffer,
  report: (fault: string) => void,
): Promise<GateCounts> {
  await using ledger = await openLedger(address, { key });
  const effects = countRows(folder, 'effects');
  const arrivals = countRows(folder, 'arrivals');
  const records = await readKeyRecords(ledger.store);
  const receipts = await readReceipts(ledger.store, ledger.keys, calls);
  const ends = { open: 0, done: 0, refused: 0, unknown: 0, unanswered: 0, stuck: 0 };
  let double = 0;
  let lost = 0;
  let behind = 0;
  for (const call of calls) {
    ends[call.end] += 1;
    const { item } = call.args;
    const happened = effects.get(item) ?? 0;
    // Nothing but the gate keeps a spend without a key to one.
    const arrived = call.tool === KEYLESS ? (arrivals.get(item) ?? 0) : 0;
    const record = records.get(toFingerprint(call));
    const missing = findMissing(call, receipts.get(item) ?? [], disturbances);
    behind += missing.excused;
    const faults = [
      ...(happened > 1 ? [`had its effect ${happened} times`] : []),
      ...(arrived > 1 ? [`arrived ${arrived} times`] : []),
      ...missing.faults,
      ...findUntruths(call, happened, record),
    ];
    if (happened > 1 || arrived > 1) double += 1;
    else if (faults.length > 0) lost += 1;
    if (call.end === 'stuck') report(describe(call, 'did not settle', record));
    for (const fault of faults) report(describe(call, fault, record));
  }
  const slowestMs = Math.max(...calls.map(({ settleMs }) => settleMs));
  return { ends, double, lost, stuck: ends.stuck, behind, slowestMs };
}

/** What is wrong with what the client was told, given what happened. */
function findUntruths(
  { kind, end }: SentCall,
  happened: number,
  record: KeyRecord | undefined,
): readonly string[] {
  if (kind === 'read') return [];
  const state = record?.state ?? 'none';
  const faults: string[] = [];
  if (end === 'done' && happened === 0) faults.push('was answered as done and did not happen');
  if (kind !== 'spend') return faults;
  const isKept = state === 'SUCCEEDED' || state === 'UNKNOWN';
  if (happened > 0 && !isKept) faults.push(`happened, and its key record is ${state}`);
  if (end === 'done' && state !== 'SUCCEEDED')
    faults.push(`is done, and its key record is ${state}`);
  if (end === 'unknown' && state !== 'UNKNOWN')
    faults.push(`was told to be unknown, and its key record is ${state}`);
  return faults;
}

/** Each answer has a receipt with its outcome; what is left over fits requests that got no answer. */
function findMissing(
  { kind, answers, unheard }: SentCall,
  outcomes: readonly string[],
  disturbances: Disturbances,
): { readonly faults: readonly string[]; readonly excused: number } {
  const rest = [...outcomes];
  const faults: string[] = [];
  let excused = 0;
  for (const answer of answers) {
    const index = rest.indexOf(toOutcome(answer));
    if (index >= 0) rest.splice(index, 1);
    else if (isExcused(kind, answer, disturbances)) excused += 1;
    else faults.push(`was answered ${answer.code} without a receipt`);
  }
  if (rest.length > unheard) faults.push(`has ${rest.length - unheard} receipts too many`);
  return { faults, excused };
}

/**
 * A gate that was killed had no time to write what was due, or no ledger to write it to. A spend is never
 * answered as done on those terms: its key record must be settled first.
 */
function isExcused(
  kind: SentCall['kind'],
  { at, code, life: { killedAt } }: Answer,
  disturbances: Disturbances,
): boolean {
  if (killedAt === undefined) return false;
  if (kind === 'read' && killedAt - at < BEHIND_MS) return true;
  const mayWait = kind !== 'spend' || code !== 'success';
  return mayWait && disturbances.touches(at, killedAt, RETRY_MS);
}

function toOutcome({ code }: Answer): string {
  return code === 'outcome-doubtful' || code === 'retry-same-key' ? 'unknown' : code;
}

function describe(call: SentCall, fault: string, record: KeyRecord | undefined): string {
  const codes = call.answers.map(({ code, replayed }) => (replayed ? `replayed ${code}` : code));
  const heard = [...new Set(codes)];
  const state = record === undefined ? 'no key record' : `${record.state} ${record.id}`;
  return `${call.tool} ${JSON.stringify(call.args)} ${fault} (${call.end}; heard ${heard.join(', ') || 'nothing'}; ${call.unheard} unheard; ${state})`;
}

/** How often each item is in a table of the server's. */
export function countRows(
  folder: string,
  table: 'arrivals' | 'effects',
): ReadonlyMap<string, number> {
  using database = new DatabaseSync(join(folder, 'effects.sqlite'), {
    readOnly: true,
    timeout: 10_000,
  });
  const rows = database.prepare(`SELECT item, count(*) AS count FROM ${table} GROUP BY item`).all();
  return new Map(rows.map(({ item, count }) => [String(item), Number(count)]));
}

async function readKeyRecords(store: Store): Promise<ReadonlyMap<string, KeyRecord>> {
  const rows = await store.transaction((tx) => tx.execute('SELECT * FROM key_records'));
  const records = rows.map((row) => toKeyRecord(row as unknown as KeyRecordRow)); // of the table
  return new Map(records.map((record) => [record.fingerprint, record]));
}

/** As the gate counts calls as equal. */
function toFingerprint({ tool, args }: SentCall): string {
  const intention = toCanonicalJson(['', PRINCIPAL, SERVER, tool, args]);
  return createHash('sha256').update(intention).digest('hex');
}

/** The outcomes in the receipts of each call, found by the digest of its arguments. */
async function readReceipts(
  store: Store,
  keys: LedgerKeys,
  calls: readonly SentCall[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await store.transaction((tx) => tx.execute('SELECT * FROM receipts'));
  const found = new Map<string, string[]>();
  for (const row of rows as unknown as readonly ReceiptRow[]) {
    const { argsDigest } = JSON.parse(row.body) as { readonly argsDigest?: string };
    const call = calls.find(({ tool, args }) => {
      if (tool !== row.operation) return false;
      const text = JSON.stringify(args);
      const digest = keys.digest(`${row.salt}${text}`);
      return digest === argsDigest;
    });
    if (call === undefined) continue;
    const { item } = call.args;
    found.set(item, [...(found.get(item) ?? []), row.outcome]);
  }
  return found;
}
