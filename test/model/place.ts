/** A worker in its world, and the ways it moves: by itself, or by a write that may go wrong. */
import type { Write } from '../../src/ledger/idempotency/key-record.ts';
import type { Fate } from './conditional-store.ts';
import { fatesOf } from './conditional-store.ts';
import type { Step } from './search.ts';
import type { Setting } from './setting.ts';
import type { Phase, Worker, World } from './world.ts';
import { toGone, withEffect, withRow, withWorker } from './world.ts';

export interface Place {
  readonly world: World;
  readonly worker: Worker;
  readonly setting: Setting;
}

/** What the worker does next, by what it learns of a write. */
export interface Sequel {
  readonly done: Phase;
  readonly tooLate: Phase;
  readonly untold: Phase;
}

export function move(
  { world, worker }: Place,
  verb: string,
  phase: Phase,
  request = worker.request,
): Step<World> {
  const moved = phase.kind === 'gone' ? toGone(worker) : { ...worker, phase, request };
  return { label: `${worker.name} ${verb}`, next: withWorker(world, moved) };
}

export function write(
  place: Place,
  verb: string,
  intended: Write,
  sequel: Sequel,
  hasEffect = false,
): readonly Step<World>[] {
  const { world, worker, setting } = place;
  const fates = [...fatesOf(setting.store, world.row, intended)];
  if (setting.hasStragglers && worker.straggler === undefined) {
    fates.push({ told: 'nothing', happened: 'yet', row: world.row });
  }
  return fates.map((fate) => {
    const straggler = fate.happened === 'yet' ? { write: intended, hasEffect } : worker.straggler;
    const from = { ...place, worker: { ...worker, straggler } };
    const { label, next } = move(from, `${verb}${tellingOf(fate)}`, phaseAfter(fate, sequel));
    const written = withRow(next, fate.row);
    if (fate.happened !== 'yes') return { label, next: written };
    return { label, next: hasEffect ? withEffect(written) : written, mark: verb };
  });
}

/** A commit that nobody heard of comes through, or fails, long after. */
export function straggle({ world, worker, setting }: Place): readonly Step<World>[] {
  const { straggler } = worker;
  if (straggler === undefined) return [];
  const { row, matched } = setting.store(world.row, straggler.write);
  const cleared = withWorker(world, { ...worker, straggler: undefined });
  const written = withRow(cleared, row);
  return [
    {
      label: `a write of ${worker.name} ${matched ? 'comes through' : 'fails'} late`,
      next: matched && straggler.hasEffect ? withEffect(written) : written,
    },
  ];
}

function phaseAfter({ told }: Fate, { done, tooLate, untold }: Sequel): Phase {
  if (told === 'done') return done;
  return told === 'too late' ? tooLate : untold;
}

function tellingOf({ told, happened }: Fate): string {
  if (told === 'done') return '';
  if (told === 'too late') return ', too late';
  return { yes: ', done but unheard', no: ', lost', yet: ', still under way' }[happened];
}
