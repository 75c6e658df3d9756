/** What must hold in every state of the model, and of every step between two. */
import type { KeyRecord } from '../../src/ledger/idempotency/key-record.ts';
import type { World } from './world.ts';

export const FAULTS = Object.freeze({
  twice: 'the effect happened twice',
  hollow: 'SUCCEEDED without the effect',
  untrue: 'FAILED_FINAL although it happened',
  changed: 'a settled key record changed',
  rerun: 'UNKNOWN was opened again',
  /** Found where the step is made. */
  unintended: 'sent without durable intent',
});

export function invariantFaults(before: World, after: World): readonly string[] {
  const { effects } = after.partner;
  const state = after.row?.state;
  const faults: string[] = [];
  if (effects > 1) faults.push(FAULTS.twice);
  if (state === 'SUCCEEDED' && effects === 0) faults.push(FAULTS.hollow);
  if (state === 'FAILED_FINAL' && effects > 0) faults.push(FAULTS.untrue);
  if (before.row !== after.row && before.row !== undefined) {
    if (hasChanged(before.row, after.row)) faults.push(FAULTS.changed);
    if (isReopened(before.row, after.row)) faults.push(FAULTS.rerun);
  }
  return faults;
}

function hasChanged(before: KeyRecord, after: KeyRecord | undefined): boolean {
  const { state } = before;
  if (state !== 'SUCCEEDED' && state !== 'FAILED_FINAL' && state !== 'TOMBSTONE') return false;
  if (after?.state === 'TOMBSTONE') return false;
  return after?.state !== state || after.outcome !== before.outcome;
}

function isReopened(before: KeyRecord, after: KeyRecord | undefined): boolean {
  if (before.state !== 'UNKNOWN') return false;
  return after === undefined || after.state === 'CLAIMED' || after.state === 'DISPATCHED';
}
