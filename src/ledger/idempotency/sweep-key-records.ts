/** What time alone does to key records: abandoned ones become unknown, old answers are dropped. */
import type { Store } from '../store.ts';
import { keyRecordMachine } from './key-record-machine.ts';
import type { EffectClass, KeyRecord, KeyRules, KeyState, Verdict } from './key-record.ts';
import { KEY_RULES, toKeyRecord } from './key-record.ts';
import { apply } from './key-records.ts';

interface SweepOptions {
  readonly rules?: KeyRules;
  /** How many key records of each kind are looked at. */
  readonly limit?: number;
}

interface Due {
  readonly where: { readonly state: KeyState; readonly effect_class?: EffectClass };
  readonly column: 'lease_until' | 'expires_at' | 'dispatched_at';
  readonly by: number;
}

/**
 * Which key records may be due, and by what. Those of a partner that dedups wait for their caller until
 * the partner forgets; asked for by lease they would crowd out the others.
 */
function dueAt(now: number, rules: KeyRules): readonly Due[] {
  const abandoned = (['local', 'lookup', 'opaque'] as const).map((effect_class): Due => ({
    where: { state: 'DISPATCHED', effect_class },
    column: 'lease_until',
    by: now,
  }));
  return [
    ...abandoned,
    {
      where: { state: 'DISPATCHED', effect_class: 'dedup' },
      column: 'dispatched_at',
      by: now - rules.partnerMs,
    },
    { where: { state: 'SUCCEEDED' }, column: 'expires_at', by: now },
    { where: { state: 'FAILED_FINAL' }, column: 'expires_at', by: now },
  ];
}

/** Gives the number of key records that were moved. */
export async function sweepKeyRecords(store: Store, options: SweepOptions = {}): Promise<number> {
  const { rules = KEY_RULES, limit = 500 } = options;
  return store.transaction(async (tx) => {
    const now = await tx.now();
    let moved = 0;
    for (const { where, column, by } of dueAt(now, rules)) {
      const upTo = { column, value: by };
      const rows = await tx.list('key_records', { where, upTo, orderBy: column, limit });
      for (const keyRecord of rows.map(toKeyRecord)) {
        const write = keyRecordMachine.sweep(keyRecord, now, rules);
        if (write !== undefined && (await apply(tx, write))) moved += 1;
      }
    }
    return moved;
  });
}

/** Asks about calls whose outcome is unknown, and settles those of which the answer is certain. */
const MOST_AT_ONCE = 100;

/**
 * `ask` is called outside of any transaction, with the store's time of before; what it says is
 * applied only if nothing changed.
 */
export async function reconcileKeyRecords(
  store: Store,
  rulesFor: (keyRecord: KeyRecord) => KeyRules | undefined,
  ask: (keyRecord: KeyRecord, rules: KeyRules, now: number) => Promise<Verdict>,
): Promise<number> {
  const { rows, now } = await store.transaction(async (tx) => ({
    now: await tx.now(),
    rows: await tx.list('key_records', {
      where: { state: 'UNKNOWN' },
      orderBy: 'updated_at',
      limit: MOST_AT_ONCE,
    }),
  }));
  let settled = 0;
  for (const keyRecord of rows.map(toKeyRecord)) {
    const rules = rulesFor(keyRecord);
    if (rules === undefined) continue;
    const verdict = await ask(keyRecord, rules, now);
    const done = await store.transaction(async (tx) => {
      const write = keyRecordMachine.reconcile(keyRecord, verdict, await tx.now(), rules);
      return write === undefined ? false : apply(tx, write);
    });
    if (done) settled += 1;
  }
  return settled;
}
