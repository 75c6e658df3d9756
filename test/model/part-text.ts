/**
 * Parts of a world as text: all that can differ within a run, and apart from it the owners that are
 * named, so that it can be said again with other names.
 */
import type { KeyRecord, Write } from '../../src/ledger/idempotency/key-record.ts';
import type { Keeper, Partner, Worker } from './world.ts';

/** Adds to `owners` whom it names, in order. */
export type ToText<T> = (part: T, owners: string[]) => string;

export const workerText: ToText<Worker> = (worker, owners) => {
  const { phase, request, intends, straggler } = worker;
  let text = `${phase.kind},${request},${intends}`;
  if ('held' in phase)
    text += `,${phase.held.fence},${phase.held.isResend},${phase.held.effectClass}`;
  if (phase.kind === 'arriving') {
    text += `,${phase.arrival.kind},${writeText(phase.arrival.write, owners)}`;
  }
  if (phase.kind === 'amending') text += `,${writeText(phase.write, owners)}`;
  if (straggler === undefined) return text;
  return `${text};${straggler.hasEffect},${writeText(straggler.write, owners)}`;
};

export const partnerText: ToText<Partner> = ({ effects, memory, isMemoryOld, isCancelled }) =>
  `${effects},${memory},${isMemoryOld},${isCancelled}`;

export const keeperText: ToText<Keeper> = (keeper, owners) => {
  switch (keeper.kind) {
    case 'idle':
      return keeper.kind;
    case 'writing':
      return `${keeper.kind},${writeText(keeper.write, owners)}`;
    case 'asking':
      return `${keeper.kind},${keeper.senderIsDead},${claimText(keeper.keyRecord, owners)}`;
    case 'told':
      return `${keeper.kind},${keeper.wasFound}`;
  }
};

/** Of a key record, or of some of its columns. What is left out is the same in the whole run. */
export const claimText: ToText<Partial<KeyRecord>> = (keyRecord, owners) => {
  owners.push(keyRecord.owner ?? '', keyRecord.attempt ?? '');
  const {
    state,
    fence,
    outcome,
    lease_until: lease,
    dispatched_at: at,
    expires_at: end,
  } = keyRecord;
  return `${state},${fence},${outcome},${lease},${at},${end}`;
};

function writeText(write: Write, owners: string[]): string {
  if (write.kind === 'insert') return `insert,${claimText(write.row, owners)}`;
  const text = `${write.kind},${claimText(write.expect, owners)}`;
  return write.kind === 'remove' ? text : `${text},${claimText(write.set, owners)}`;
}
