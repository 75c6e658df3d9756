/** What time does. Every span runs out by itself, in any order that real time allows. */
import type { KeyRecord } from '../../src/ledger/idempotency/key-record.ts';
import type { Step } from './search.ts';
import type { Setting } from './setting.ts';
import type { World } from './world.ts';
import { NOW, RULES, toGone, withWorker } from './world.ts';

export function timeSteps(world: World, { effectClass }: Setting): readonly Step<World>[] {
  const { row } = world;
  return [
    ...(row === undefined ? [] : rowSteps(world, row)),
    ...(effectClass === 'dedup' ? keySteps(world) : []),
    ...deathSteps(world),
  ];
}

function rowSteps(world: World, row: KeyRecord): readonly Step<World>[] {
  switch (row.state) {
    case 'CLAIMED':
    case 'DISPATCHED':
      return row.lease_until > NOW
        ? [age(world, 'the lease runs out', { ...row, lease_until: NOW })]
        : [];
    case 'UNKNOWN':
      // The request may have been sent any time later than this.
      return NOW - row.dispatched_at < RULES.settleMs
        ? [
            age(world, 'the settle window since the dispatch passes', {
              ...row,
              dispatched_at: NOW - RULES.settleMs,
            }),
          ]
        : [];
    case 'SUCCEEDED':
    case 'FAILED_FINAL':
      return row.expires_at > NOW
        ? [age(world, 'the replay window passes', { ...row, expires_at: NOW })]
        : [];
    case 'TOMBSTONE':
      return [];
  }
}

/** The partner heard of the key after the dispatch, so that its memory outlives our window. */
function keySteps(world: World): readonly Step<World>[] {
  const { row, partner } = world;
  const isRowYoung = row?.state === 'DISPATCHED' && NOW - row.dispatched_at < RULES.partnerMs;
  const isMemoryYoung = partner.memory !== 'none' && !partner.isMemoryOld;
  if (!isRowYoung && !isMemoryYoung) return [];
  const aged = isRowYoung ? { ...row, dispatched_at: NOW - RULES.partnerMs } : row;
  const next: World = {
    ...world,
    row: aged,
    partner: isMemoryYoung ? { ...partner, isMemoryOld: true } : partner,
  };
  return [{ label: "the window of the partner's key passes", next }];
}

/** No request is under way longer than the settle window after whoever sent it died. */
function deathSteps(world: World): readonly Step<World>[] {
  return world.workers
    .filter(({ phase }) => phase.kind === 'dead')
    .map((worker) => ({
      label: `the settle window since ${worker.name}'s death passes`,
      next: withWorker(world, toGone(worker)),
    }));
}

function age(world: World, label: string, row: KeyRecord): Step<World> {
  return { label, next: { ...world, row } };
}
