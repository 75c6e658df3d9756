/**
 * Applies the key record machine to a store: every move is one conditional write, and a commit whose
 * outcome is unknown is checked before anything relies on it.
 */
import type { LedgerKeys } from '../keys.ts';
import type { Store, Tx } from '../store.ts';
import { CommitUnknownError } from '../store.ts';
import type { KeyRecordRow } from '../tables.ts';
import { keyRecordMachine } from './key-record-machine.ts';
import type {
  Arriving,
  Asking,
  HeldKey,
  Intent,
  KeyRecord,
  KeyRules,
  Standing,
  Write,
} from './key-record.ts';
import { KEY_RULES, toKeyRecord } from './key-record.ts';
import { newOwner } from './worker.ts';

export interface KeyRequest extends Asking {
  readonly rules?: Partial<KeyRules>;
  /** The id was made for this request, so that no record has it yet. */
  readonly isNew?: boolean;
  /** Refuses a new key while an equal call is open, of unknown outcome, or done, and this recent. */
  readonly duplicates?: { readonly withinMs: number };
}

export type Admission =
  | { readonly kind: 'held'; readonly held: HeldKey; readonly rules: KeyRules }
  | { readonly kind: 'standing'; readonly standing: Standing }
  /** The record of an equal call under another key. Nothing was written. */
  | { readonly kind: 'duplicate'; readonly record: KeyRecord };

/** What happened to a held key record. */
export type KeyRecordEnd = Settlement['kind'];

/** How a held key record ends. `doubt` and `release` store no answer. */
export interface Settlement {
  readonly held: HeldKey;
  readonly rules: KeyRules;
  readonly kind: 'succeeded' | 'failed' | 'doubt' | 'release';
  /** The answer to be replayed, as JSON. */
  readonly outcome: string;
}

export interface KeyRecords {
  /** Those of this ledger; operations may have others. */
  readonly rules: KeyRules;
  /** Takes the key record, or returns its state. */
  admit(request: KeyRequest): Promise<Admission>;
  /**
   * Takes the key record and makes the intent durable in one transaction, together with anything else
   * that must happen in it. If `alongside` throws, everything is rolled back. It may be run again after a
   * rollback.
   */
  begin(
    request: KeyRequest,
    alongside: (tx: Tx, held: HeldKey) => Promise<void>,
  ): Promise<Admission>;
  /** Makes the intent durable; `false` means that another worker holds the key record now. */
  dispatch(held: HeldKey, rules: KeyRules): Promise<boolean>;
  /** Renews the lease while the work runs. */
  extend(held: HeldKey, rules: KeyRules): Promise<boolean>;
  /**
   * Ends the holding; `false` when the record is no longer ours. `succeeded` also settles a record
   * that had become UNKNOWN meanwhile, so an answer that arrives late is not lost.
   */
  settle(tx: Tx, settlement: Settlement): Promise<boolean>;
  /** The newest record of an equal call that `duplicates` would refuse for. Claims nothing. */
  findDuplicate(intent: Intent, withinMs: number): Promise<KeyRecord | undefined>;
  /** Whether the key record was settled by this holder, for a commit with an unknown result. */
  isSettled(held: HeldKey): Promise<boolean>;
  /** The whole of a local effect: the work and the settling in one transaction. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Another worker has taken over the key record; the work under it must not be done. */
export class KeyRecordLostError extends Error {
  override readonly name = 'KeyRecordLostError';
}

/** Losing a race means that the row has changed; a few retries are always enough. */
const MOST_TRIES = 10;

export function openKeyRecords(
  store: Store,
  keys: LedgerKeys,
  usual: Partial<KeyRules> = {},
): KeyRecords {
  const own: KeyRules = Object.freeze({ ...KEY_RULES, ...usual });

  async function take(
    request: KeyRequest,
    dispatches: boolean,
    go: (tx: Tx, held: HeldKey) => Promise<void>,
  ): Promise<Admission> {
    const { duplicates, rules: given, isNew = false, ...asking } = request;
    const rules = given === undefined ? own : { ...own, ...given };
    const owner = newOwner();
    const partnerKey = keys.partnerKey(request.id);
    let written: Admission | undefined;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const admit = async (tx: Tx): Promise<Admission | undefined> => {
        if (duplicates !== undefined) await tx.lock(lockOf(request));
        const arriving: Arriving = { ...asking, partnerKey, owner, now: await tx.now() };
        const terms = {
          rules,
          dispatches,
          duplicatesWithinMs: duplicates?.withinMs,
          // An earlier try with an unknown result may have written it.
          isNew: isNew && tries === 0,
        };
        const admission = await admitOnce(tx, arriving, terms);
        // If a commit with an unknown result did admit it, everything in it has happened.
        if (admission === 'ours') return written;
        if (admission === undefined) return undefined;
        written = admission;
        if (admission.kind === 'held') await go(tx, admission.held);
        return admission;
      };
      const admitted = await certain(() => store.transaction(admit, { isRepeatable: true }));
      if (admitted !== undefined) return admitted;
    }
    return { kind: 'standing', standing: { kind: 'in-flight', retryAfterMs: 1000 } };
  }

  /** Reading changes nothing, so a read whose commit result is unknown is simply retried. */
  async function readState(id: string): Promise<KeyRecordRow | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const seen = await certain(async () => ({
        row: await store.transaction((tx) => tx.find('key_records', { id })),
      }));
      if (seen !== undefined) return seen.row;
    }
    throw new CommitUnknownError('the key record cannot be read');
  }

  return {
    rules: own,
    admit: (request) => take(request, false, async () => {}),
    begin: (request, alongside) => take(request, true, alongside),
    async dispatch(held, rules) {
      if (held.isResend) return true;
      const write = (tx: Tx) =>
        tx.now().then((now) => apply(tx, keyRecordMachine.dispatch(held, now, rules)));
      const done = await certain(() => store.transaction(write));
      if (done !== undefined) return done;
      const row = await readState(held.id);
      return row?.state === 'DISPATCHED' && row.attempt === held.owner && row.fence === held.fence;
    },
    extend: (held, rules) =>
      store.transaction(async (tx) =>
        apply(tx, keyRecordMachine.extend(held, await tx.now(), rules)),
      ),
    settle: (tx, settlement) => settleOn(tx, settlement),
    findDuplicate: (intent, withinMs) =>
      store.transaction(async (tx) => findEqual(tx, intent, (await tx.now()) - withinMs)),
    isSettled: async (held) => {
      const row = await readState(held.id);
      return row?.state === 'SUCCEEDED' && row.owner === held.owner;
    },
    transaction: (work) => store.transaction(work),
  };
}

interface Terms {
  readonly rules: KeyRules;
  /** Whether the intent is made durable with the claim. */
  readonly dispatches: boolean;
  readonly duplicatesWithinMs: number | undefined;
  readonly isNew: boolean;
}

/**
 * `undefined` when the row changed meanwhile and must be read again; `ours` when an earlier try of this
 * arrival has written it.
 */
async function admitOnce(
  tx: Tx,
  arriving: Arriving,
  { rules, dispatches, duplicatesWithinMs, isNew }: Terms,
): Promise<Admission | 'ours' | undefined> {
  const row = isNew ? undefined : await tx.find('key_records', { id: arriving.id });
  const keyRecord = row === undefined ? undefined : toKeyRecord(row);
  if (keyRecord?.owner === arriving.owner) return 'ours';
  const arrival = keyRecordMachine.arrive(keyRecord, arriving, rules);
  if (arrival.kind === 'standing') return arrival;
  if (keyRecord === undefined && duplicatesWithinMs !== undefined) {
    const equal = await findEqual(tx, arriving, arriving.now - duplicatesWithinMs);
    if (equal !== undefined) return { kind: 'duplicate', record: equal };
  }
  if (arrival.kind === 'give-up') {
    if (!(await apply(tx, arrival.write))) return undefined;
    return { kind: 'standing', standing: { kind: 'outcome-unknown' } };
  }
  const { write, held } = arrival;
  const dispatch =
    dispatches && !held.isResend && keyRecordMachine.dispatch(held, arriving.now, rules);
  if (!(await (dispatch ? applyBoth(tx, write, dispatch) : apply(tx, write)))) return undefined;
  return { kind: 'held', held, rules };
}

/** A claim and its dispatch: of a new key record, in one statement. */
async function applyBoth(tx: Tx, claim: Write, dispatch: Write): Promise<boolean> {
  if (claim.kind === 'insert' && dispatch.kind === 'change') {
    return tx.insert('key_records', { ...claim.row, ...dispatch.set });
  }
  if (!(await apply(tx, claim))) return false;
  if (await apply(tx, dispatch)) return true;
  throw new KeyRecordLostError('the key record was taken over in the transaction that claimed it');
}

async function findEqual(tx: Tx, intent: Intent, since: number): Promise<KeyRecord | undefined> {
  const row = await tx.findEqual(intent, since);
  return row === undefined ? undefined : toKeyRecord(row);
}

/** Equal calls are serialized here, so that the second sees what the first has written. */
function lockOf({ tenant, principal, operation, fingerprint }: Intent): string {
  return JSON.stringify(['intent', tenant, principal, operation, fingerprint]);
}

export async function apply(tx: Tx, write: Write): Promise<boolean> {
  switch (write.kind) {
    case 'insert':
      return tx.insert('key_records', write.row);
    case 'change':
      return tx.update('key_records', write.expect, write.set);
    case 'remove':
      return tx.remove('key_records', write.expect);
  }
}

async function settleOn(tx: Tx, { held, rules, kind, outcome }: Settlement): Promise<boolean> {
  const now = await tx.now();
  switch (kind) {
    case 'release':
      return apply(tx, keyRecordMachine.release(held, now));
    case 'doubt':
      return apply(tx, keyRecordMachine.doubt(held, now));
    case 'failed':
      return apply(tx, keyRecordMachine.settle(held, 'FAILED_FINAL', outcome, now, rules));
    case 'succeeded': {
      if (await apply(tx, keyRecordMachine.settle(held, 'SUCCEEDED', outcome, now, rules)))
        return true;
      const row = await tx.find('key_records', { id: held.id });
      const late = row && keyRecordMachine.late(toKeyRecord(row), held, outcome, now, rules);
      return late === undefined ? false : apply(tx, late);
    }
  }
}

/** `undefined` when it is not known whether the store committed. */
async function certain<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommitUnknownError) return undefined;
    throw error;
  }
}
