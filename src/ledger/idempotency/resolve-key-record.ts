/**
 * Settles a key record with an unknown outcome as a person says. The statement is stored as evidence on
 * the key record and as its own receipt, in the transaction that settles it.
 */
import { randomUUID } from 'node:crypto';
import { toProblem } from '../../lib/problem.ts';
import type { LedgerKeys } from '../keys.ts';
import type { Receipt } from '../receipt.ts';
import { appendReceipts } from '../receipts/append-receipts.ts';
import type { Store } from '../store.ts';
import type { KeyRecord, KeyState, Verdict } from './key-record.ts';
import { KEY_RULES, toKeyRecord } from './key-record.ts';
import { keyRecordMachine } from './key-record-machine.ts';
import { apply } from './key-records.ts';
import type { StoredOutcome } from './outcome.ts';
import { encodeOutcome } from './outcome.ts';

export interface Resolution {
  readonly keyRecord: string;
  readonly as: 'executed' | 'not-executed';
  readonly reason: string;
  /** Who says so. */
  readonly by: string;
  /** What the call should have answered, if known. */
  readonly value?: unknown;
}

type ResolutionEnd =
  | { readonly kind: 'resolved'; readonly operation: string; readonly state: KeyState }
  | { readonly kind: 'refused'; readonly code: 'no-such-key-record' }
  | { readonly kind: 'refused'; readonly code: 'not-unknown'; readonly state: KeyState };

const RESOLVE_OPERATION = 'ledger.resolve';

export async function resolveKeyRecord(
  { store, keys }: { readonly store: Store; readonly keys: LedgerKeys },
  resolution: Resolution,
): Promise<ResolutionEnd> {
  return store.transaction(async (tx) => {
    const row = await tx.find('key_records', { id: resolution.keyRecord });
    if (row === undefined) return { kind: 'refused', code: 'no-such-key-record' };
    const keyRecord = toKeyRecord(row);
    const now = await tx.now();
    const write = keyRecordMachine.reconcile(
      keyRecord,
      toVerdict(keyRecord, resolution),
      now,
      KEY_RULES,
    );
    if (write?.kind !== 'change') {
      return { kind: 'refused', code: 'not-unknown', state: keyRecord.state };
    }
    const evidence = withEvidence(keyRecord, resolution, now);
    if (!(await apply(tx, { ...write, set: { ...write.set, evidence } }))) {
      throw new Error('the key record changed while it was being resolved; check it again');
    }
    const { as, reason } = resolution;
    const args = { keyRecord: keyRecord.id, as, reason };
    await appendReceipts(
      tx,
      [{ receipt: toReceipt(keyRecord, resolution.by, now), args }],
      'redacted',
      keys,
    );
    return {
      kind: 'resolved',
      operation: keyRecord.operation,
      state: write.set.state ?? keyRecord.state,
    };
  });
}

/** Long enough that it is not matched by accident, short enough to type. */
export const LEAST_PREFIX = 6;
const MOST_BY_PREFIX = 20;

/** Key records whose id is this, or begins with it; those that can be resolved first. */
export async function findByPrefix(store: Store, id: string): Promise<readonly KeyRecord[]> {
  return store.transaction(async (tx) => {
    const exact = await tx.find('key_records', { id });
    if (exact !== undefined) return [toKeyRecord(exact)];
    // Nothing but hex digits may reach the pattern.
    if (id.length < LEAST_PREFIX || !/^[\da-f]+$/.test(id)) return [];
    const rows = await tx.execute(
      `SELECT id FROM key_records WHERE id LIKE ?
       ORDER BY CASE WHEN state = 'UNKNOWN' THEN 0 ELSE 1 END, updated_at
       LIMIT ${MOST_BY_PREFIX}`,
      [`${id}%`],
    );
    const found: KeyRecord[] = [];
    for (const row of rows) {
      const whole = await tx.find('key_records', { id: String(row['id']) });
      if (whole !== undefined) found.push(toKeyRecord(whole));
    }
    return found;
  });
}

/** A person confirms that nothing will happen any more, like a partner that cancels. */
function toVerdict({ operation }: KeyRecord, { as, value, reason }: Resolution): Verdict {
  if (as === 'executed') return { kind: 'executed', outcome: encodeOutcome(toSuccess(value)) };
  const problem = toProblem('not-executed', `${operation} was investigated: ${reason}`);
  const outcome = encodeOutcome({ kind: 'failure', problem });
  return { kind: 'not-executed', outcome, proof: 'cancelled', senderIsDead: false };
}

function toSuccess(value: unknown): StoredOutcome {
  if (value !== undefined) return { kind: 'success', value };
  const text = 'This was done. Its answer was lost; a person has confirmed that it happened.';
  return { kind: 'success', content: [{ type: 'text', text }] };
}

function withEvidence(keyRecord: KeyRecord, { as, reason, by }: Resolution, now: number): string {
  const before = JSON.parse(keyRecord.evidence) as readonly unknown[]; // the column contains a JSON list
  const at = new Date(now).toISOString();
  return JSON.stringify([...before, { kind: 'resolved-by-hand', as, reason, by, at }]);
}

function toReceipt({ id, tenant }: KeyRecord, by: string, now: number): Receipt {
  return Object.freeze({
    kind: 'receipt',
    id: randomUUID(),
    at: new Date(now).toISOString(),
    operation: RESOLVE_OPERATION,
    act: 'set',
    tier: 'compute',
    reach: 'own-store',
    openWorld: false,
    via: 'in-process',
    principal: by,
    ...(tenant !== '' && { tenant }),
    decision: 'ran',
    outcome: 'success',
    milliseconds: 0,
    keyRecord: id,
  });
}
