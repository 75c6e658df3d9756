/**
 * Everything the ledger knows about one call: its receipt, the question to a person, the key record of
 * its key, and the receipts that share either. Reads only; the page decides how to show it.
 */
import { createPublicKey } from 'node:crypto';
import type { KeyRecord } from '../../ledger/idempotency/key-record.ts';
import { toKeyRecord } from '../../ledger/idempotency/key-record.ts';
import type { LedgerKeys } from '../../ledger/keys.ts';
import { checkReceipt } from '../../ledger/receipts/check-log.ts';
import { readSignedCheckpoint } from '../../ledger/receipts/checkpoint-note.ts';
import type { Proving } from '../../ledger/receipts/prove-receipt.ts';
import { proveReceipt } from '../../ledger/receipts/prove-receipt.ts';
import { readEnds } from '../../ledger/receipts/read-ends.ts';
import { findReceipt } from '../../ledger/receipts/read-receipts.ts';
import { MOST_UNINDEXED, readUnindexed, toNeedle } from '../../ledger/receipts/read-unindexed.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import type {
  ApprovalRow,
  FoundReceipt,
  GrantRow,
  KeyRecordRow,
  ReceiptRow,
} from '../../ledger/tables.ts';
import type { AuditFinding } from '../../ledger/receipts/audit-finding.ts';

export interface CallStory {
  readonly row: ReceiptRow;
  /** Absent when the call ran on the policy alone. */
  readonly approval?: ApprovalRow;
  /** The grant that it ran on, if there was one. */
  readonly grant?: GrantRow;
  readonly keyRecord?: KeyRecord;
  /** Other receipts of the same approval or key record, the oldest first. */
  readonly related: readonly FoundReceipt[];
  /** How many receipts that are not indexed yet were not searched for them. */
  readonly unsearched: number;
  readonly integrity: Integrity;
}

export interface Integrity {
  /** Errors in the row itself. */
  readonly findings: readonly AuditFinding[];
  /** Whether the last signed checkpoint includes it; `covered` is signed, but not recomputed. */
  readonly inclusion: Proving | { readonly kind: 'covered'; readonly size: number };
}

interface StoryLedger {
  readonly store: Store;
  readonly keys: LedgerKeys;
}

const MOST_RELATED = 50;

/** Recomputing a log of a million receipts takes a second, in which no call goes through the gate. */
const MOST_RECOMPUTED = 10_000;

/** `id` is the number of a receipt or its id. */
export async function readCallStory(
  { store, keys }: StoryLedger,
  id: string,
  mostUnindexed: number = MOST_UNINDEXED,
): Promise<CallStory | undefined> {
  const row = await findReceipt(store, id);
  if (row === undefined) return undefined;
  const linked = await store.transaction(async (tx) => {
    const { grant, ...asked } = await findAnswer(tx, row);
    const keyRecord =
      row.key_record === '' ? undefined : await tx.find('key_records', { id: row.key_record });
    return {
      ...asked,
      ...(grant !== undefined && { grant }),
      ...(keyRecord !== undefined && { keyRecord: toKeyRecord(keyRecord) }),
      ...(await listRelated(tx, row, mostUnindexed)),
    };
  });
  return Object.freeze({ row, ...linked, integrity: await checkIntegrity(store, keys, row) });
}

/** A receipt names the approval, or the grant made from one. */
async function findAnswer(
  tx: Tx,
  { approval: id }: ReceiptRow,
): Promise<Pick<CallStory, 'approval' | 'grant'>> {
  if (id === '') return {};
  const direct = await tx.find('approvals', { id });
  if (direct !== undefined) return { approval: direct };
  const grant = await tx.find('grants', { id });
  if (grant === undefined) return {};
  const approval = await tx.find('approvals', { id: grant.approval });
  return { grant, ...(approval !== undefined && { approval }) };
}

const SHARED = { key_record: 'keyRecord', approval: 'approval' } as const;

async function listRelated(
  tx: Tx,
  row: ReceiptRow,
  mostUnindexed: number,
): Promise<Pick<CallStory, 'related' | 'unsearched'>> {
  const found = new Map<number, FoundReceipt>();
  const { indexed, logged } = await readEnds(tx);
  const from = Math.max(indexed, logged - mostUnindexed);
  let unsearched = 0;
  for (const column of ['key_record', 'approval'] as const) {
    const value = row[column];
    if (value === '') continue;
    const rows = (await tx.execute(
      // The second condition lets the partial index be used.
      `SELECT * FROM indexed_receipts WHERE ${column} = ? AND ${column} <> '' AND seq < ?
        ORDER BY seq LIMIT ?`,
      [value, indexed, MOST_RELATED],
    )) as unknown as readonly FoundReceipt[]; // rows of that view
    for (const other of rows) found.set(other.seq, other);
    if (rows.length === MOST_RELATED) continue;
    unsearched = from - indexed;
    const newer = await readUnindexed(tx, {
      from,
      needles: [toNeedle(SHARED[column], value)],
      passes: (other) => other[column] === value,
    });
    for (const other of newer.slice(rows.length - MOST_RELATED)) found.set(other.seq, other);
  }
  found.delete(row.seq);
  return { related: [...found.values()].toSorted((a, b) => a.seq - b.seq), unsearched };
}

async function checkIntegrity(store: Store, keys: LedgerKeys, row: ReceiptRow): Promise<Integrity> {
  const { findings } = checkReceipt(row);
  const publicKey = createPublicKey(keys.signingKey);
  const [newest] = await store.transaction((tx) =>
    tx.list('checkpoints', { orderBy: 'size', descending: true, limit: 1 }),
  );
  if (newest === undefined || newest.size <= row.seq) {
    return { findings, inclusion: { kind: 'unsigned' } };
  }
  if (newest.size <= MOST_RECOMPUTED) {
    return { findings, inclusion: await proveReceipt(store, row, publicKey) };
  }
  const read = readSignedCheckpoint(newest.note, publicKey);
  if (read.kind === 'refused') {
    return { findings, inclusion: { kind: 'refuted', detail: read.detail } };
  }
  return { findings, inclusion: { kind: 'covered', size: read.checkpoint.size } };
}

/** The calls whose outcome is unknown, the oldest first. */
export interface UnknownCalls {
  readonly keyRecords: readonly KeyRecordRow[];
  readonly hasMore: boolean;
}

const MOST = 50;

export async function listUnknown(store: Store): Promise<UnknownCalls> {
  const rows = await store.transaction((tx) =>
    tx.list('key_records', { where: { state: 'UNKNOWN' }, orderBy: 'updated_at', limit: MOST + 1 }),
  );
  return { keyRecords: rows.slice(0, MOST), hasMore: rows.length > MOST };
}
