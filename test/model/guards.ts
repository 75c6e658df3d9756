/** The guards, each with what is left out to do without it and the shortest way to harm. */
import type { EffectClass } from '../../src/ledger/idempotency/key-record.ts';
import { BROKEN } from './broken-machines.ts';
import type { Apply } from './conditional-store.ts';
import { applyWrite } from './conditional-store.ts';
import { FAULTS } from './invariants.ts';
import type { Setting } from './setting.ts';

export interface Guard {
  readonly without: string;
  readonly effectClass: EffectClass;
  readonly changes: Partial<Setting>;
  readonly fault: string;
  /** So many steps the shortest way has; a change here is a change of what protects us. */
  readonly steps: number;
}

/** Looks, and inserts whatever it saw then. */
const checkThenInsert: Apply = (row, write) =>
  applyWrite(write.kind === 'insert' ? undefined : row, write);

const { twice, untrue, changed, rerun } = FAULTS;

export const OF_THE_MACHINE: readonly Guard[] = [
  {
    without: 'G1: inserting only what is absent',
    effectClass: 'opaque',
    changes: { store: checkThenInsert },
    fault: twice,
    steps: 10,
  },
  {
    without: 'G3: the state, fence and owner in the dispatch',
    effectClass: 'opaque',
    changes: { machine: BROKEN.dispatchFromAnyState },
    fault: twice,
    steps: 11,
  },
  {
    without: 'G3: the fence and owner in the dispatch, although it looks at the state',
    effectClass: 'opaque',
    changes: { machine: BROKEN.dispatchUnfenced },
    fault: twice,
    steps: 15,
  },
  {
    without: 'G4: giving up an expired dispatch',
    effectClass: 'opaque',
    changes: { machine: BROKEN.rerunsExpired },
    fault: twice,
    steps: 10,
  },
  {
    without: 'G5: keeping the key record after an error',
    effectClass: 'opaque',
    changes: { machine: BROKEN.forgetsOnError },
    fault: twice,
    steps: 12,
  },
  {
    without: 'G6: any settle window before "not found" counts',
    effectClass: 'lookup',
    changes: { machine: BROKEN.trustsNotFoundAtOnce, proofOfDeath: 'just-now' },
    fault: untrue,
    steps: 11,
  },
  {
    without: 'G7: the fence and owner in the settling, where refusals are made at the door',
    effectClass: 'dedup',
    changes: { machine: BROKEN.settlesUnfenced },
    fault: untrue,
    steps: 12,
  },
  {
    without: 'G7: the state in the settling',
    effectClass: 'lookup',
    changes: { machine: BROKEN.settlesFromAnyState },
    fault: changed,
    steps: 11,
  },
  {
    without: 'the state in a late answer',
    effectClass: 'opaque',
    changes: { machine: BROKEN.amendsAnything },
    fault: changed,
    steps: 13,
  },
  {
    without: 'the owner in what a holder writes: another key record has the same fence',
    effectClass: 'opaque',
    changes: { machine: BROKEN.knowsNoOwner },
    fault: twice,
    steps: 15,
  },
  {
    without: 'a new fence at UNKNOWN',
    effectClass: 'opaque',
    changes: { machine: BROKEN.keepsFenceAtUnknown },
    fault: rerun,
    steps: 8,
  },
  {
    without: 'keeping a resent key record that is released',
    effectClass: 'dedup',
    changes: { machine: BROKEN.releasesAnything },
    fault: twice,
    steps: 17,
  },
  {
    without: 'the state in the release of a local key record',
    effectClass: 'local',
    changes: { machine: BROKEN.releasesAnything, hasStragglers: true },
    fault: twice,
    steps: 10,
  },
  {
    without: "an end to resending when the partner's key may be forgotten",
    effectClass: 'dedup',
    changes: { machine: BROKEN.resendsForever },
    fault: twice,
    steps: 12,
  },
  {
    without: 'mistrust of "not found" where several may have sent',
    effectClass: 'dedup',
    changes: { machine: BROKEN.trustsNotFoundOfMany },
    fault: untrue,
    steps: 15,
  },
];

/** What the machine cannot see to by itself. */
export const OF_ITS_USERS: readonly Guard[] = [
  {
    without: 'G2: durable intent before the send',
    effectClass: 'opaque',
    changes: { sendsAfterIntent: false },
    fault: twice,
    steps: 9,
  },
  {
    without: 'G6: counting the settle window from the death of the sender, not from the dispatch',
    effectClass: 'lookup',
    changes: { proofOfDeath: 'just-now' },
    fault: untrue,
    steps: 12,
  },
  {
    without: 'G8: proof that the sender is dead',
    effectClass: 'lookup',
    changes: { proofOfDeath: 'none' },
    fault: untrue,
    steps: 11,
  },
  {
    without: 'looking at the sender and the clock before asking the partner',
    effectClass: 'lookup',
    changes: { looksBeforeAsking: false },
    fault: untrue,
    steps: 12,
  },
  {
    without: 'doubt about a resend that is refused at the door',
    effectClass: 'dedup',
    changes: { doubtsRefusedResend: false },
    fault: untrue,
    steps: 12,
  },
  {
    without: "a margin between the last resend and the end of the partner's memory",
    effectClass: 'dedup',
    changes: { sendsInTime: false },
    fault: twice,
    steps: 12,
  },
];
