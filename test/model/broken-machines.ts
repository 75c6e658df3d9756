/** The key record machine with one guard taken out, each as somebody might leave it out. */
import { keyRecordMachine } from '../../src/ledger/idempotency/key-record-machine.ts';
import type {
  KeyRecord,
  KeyRecordMachine,
  Write,
} from '../../src/ledger/idempotency/key-record.ts';

export const BROKEN = Object.freeze({
  dispatchUnfenced: machine({
    dispatch: (...args) => blind(keyRecordMachine.dispatch(...args), 'fence', 'owner'),
  }),
  dispatchFromAnyState: machine({
    dispatch: (...args) => blind(keyRecordMachine.dispatch(...args), 'state', 'fence', 'owner'),
  }),
  rerunsExpired: machine({
    arrive: (keyRecord, arriving, rules) =>
      keyRecordMachine.arrive(
        keyRecord && { ...keyRecord, effect_class: 'dedup' },
        arriving,
        rules,
      ),
  }),
  forgetsOnError: machine({ doubt: removeMine }),
  trustsNotFoundAtOnce: machine({
    reconcile: (keyRecord, verdict, now, rules) =>
      keyRecordMachine.reconcile(keyRecord, verdict, now, { ...rules, settleMs: 0 }),
  }),
  trustsNotFoundOfMany: machine({
    reconcile: (keyRecord, verdict, now, rules) =>
      keyRecordMachine.reconcile({ ...keyRecord, effect_class: 'lookup' }, verdict, now, rules),
  }),
  settlesUnfenced: machine({
    settle: (...args) => blind(keyRecordMachine.settle(...args), 'fence', 'owner'),
  }),
  settlesFromAnyState: machine({
    settle: (...args) => blind(keyRecordMachine.settle(...args), 'state', 'fence', 'owner'),
  }),
  knowsNoOwner: machine({
    dispatch: (...args) => blind(keyRecordMachine.dispatch(...args), 'owner'),
    extend: (...args) => blind(keyRecordMachine.extend(...args), 'owner'),
    settle: (...args) => blind(keyRecordMachine.settle(...args), 'owner'),
    release: (...args) => blind(keyRecordMachine.release(...args), 'owner'),
    doubt: (...args) => blind(keyRecordMachine.doubt(...args), 'owner'),
  }),
  releasesAnything: machine({ release: removeMine }),
  keepsFenceAtUnknown: machine({
    sweep: (keyRecord, now, rules, isDead) =>
      sameFence(keyRecord, keyRecordMachine.sweep(keyRecord, now, rules, isDead)),
  }),
  resendsForever: machine({
    arrive: (keyRecord, arriving, rules) =>
      keyRecordMachine.arrive(keyRecord, arriving, { ...rules, partnerMs: Infinity }),
    sweep: (keyRecord, now, rules, isDead) =>
      keyRecordMachine.sweep(keyRecord, now, { ...rules, partnerMs: Infinity }, isDead),
  }),
  amendsAnything: machine({
    late: (keyRecord, ...rest) => {
      const write = keyRecordMachine.late({ ...keyRecord, state: 'UNKNOWN' }, ...rest);
      return write && blind(write, 'state');
    },
  }),
});

function machine(changes: Partial<KeyRecordMachine>): KeyRecordMachine {
  return { ...keyRecordMachine, ...changes };
}

/** The same write, with less looked at. */
function blind(write: Write, ...names: (keyof KeyRecord)[]): Write {
  if (write.kind === 'insert') return write;
  const expect = Object.entries(write.expect).filter(
    ([name]) => !names.includes(name as keyof KeyRecord),
  );
  return { ...write, expect: Object.fromEntries(expect) };
}

function removeMine({ id, fence, owner }: { id: string; fence: number; owner: string }): Write {
  return { kind: 'remove', expect: { id, fence, owner } };
}

function sameFence({ fence }: KeyRecord, write: Write | undefined): Write | undefined {
  return write?.kind === 'change' ? { ...write, set: { ...write.set, fence } } : write;
}
