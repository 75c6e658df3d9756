/**
 * The program of a worker, step by step: read, take, dispatch, send, hear, settle. Between any two
 * steps others may act, and before any it may crash.
 */
import type { HeldKey } from '../../src/ledger/idempotency/key-record.ts';
import { FAULTS } from './invariants.ts';
import type { Place } from './place.ts';
import { move, straggle, write } from './place.ts';
import type { Step } from './search.ts';
import type { Phase, Taking, World } from './world.ts';
import { arrivingOf, GONE, IDLE, NOW, RULES, withRow } from './world.ts';

export function workerSteps(place: Place): readonly Step<World>[] {
  return [...act(place), ...straggle(place)];
}

/** Between doing nothing and doing no more, every step may be the last. */
function act(place: Place): readonly Step<World>[] {
  const { kind } = place.worker.phase;
  const mayCrash = kind !== 'idle' && kind !== 'gone' && kind !== 'dead';
  return mayCrash ? [...go(place), crash(place)] : go(place);
}

function go(place: Place): readonly Step<World>[] {
  const { worker, setting } = place;
  const { phase } = worker;
  switch (phase.kind) {
    case 'gone':
    case 'dead':
      return [];
    case 'idle':
      return [arrive(place)];
    case 'arriving':
      return take(place, phase.arrival);
    case 'unsure':
      return [move(place, 'looks again', lookAgain(place, phase.held))];
    case 'holding': {
      const begin = setting.effectClass === 'local' ? doLocally : intend;
      return [...begin(place, phase.held), giveBack(place, 'fails before it begins', phase.held)];
    }
    case 'releasing': {
      const release = setting.machine.release(phase.held, NOW);
      return write(place, 'releases', release, { done: GONE, tooLate: GONE, untold: phase });
    }
    case 'ready':
      return [send(place, phase.held), giveBack(place, 'cannot connect', phase.held)];
    case 'waiting':
      return [...hear(place, phase.held), mishear(place, phase.held), ...extend(place, phase.held)];
    case 'succeeded': {
      const settled = setting.machine.settle(phase.held, 'SUCCEEDED', 'done', NOW, RULES);
      const tooLate: Phase = { kind: 'late', held: phase.held };
      return write(place, 'settles SUCCEEDED', settled, { done: GONE, tooLate, untold: phase });
    }
    case 'refused': {
      const settled = setting.machine.settle(phase.held, 'FAILED_FINAL', 'refused', NOW, RULES);
      const sequel = { done: GONE, tooLate: GONE, untold: phase };
      return write(place, 'settles FAILED_FINAL', settled, sequel);
    }
    case 'doubting': {
      const doubt = setting.machine.doubt(phase.held, NOW);
      const done: Phase = worker.request === 'none' ? GONE : { kind: 'doubted', held: phase.held };
      return write(place, 'doubts', doubt, { done, tooLate: done, untold: phase });
    }
    case 'doubted':
      return hear(place, phase.held);
    case 'late':
      return [move(place, 'looks what became of it', lookLate(place, phase.held))];
    case 'amending': {
      const again: Phase = { kind: 'late', held: phase.held };
      return write(place, 'amends', phase.write, { done: GONE, tooLate: again, untold: again });
    }
  }
}

function arrive(place: Place): Step<World> {
  const { world, worker, setting } = place;
  const arriving = arrivingOf(worker.name, setting.effectClass);
  const arrival = setting.machine.arrive(world.row, arriving, RULES);
  if (arrival.kind === 'standing') {
    const told = arrival.standing.kind;
    return { label: `${worker.name} is told ${told}`, next: world, mark: told };
  }
  return move(place, `finds ${world.row?.state ?? 'nothing'}`, { kind: 'arriving', arrival });
}

function take(place: Place, arrival: Taking): readonly Step<World>[] {
  if (arrival.kind === 'give-up') {
    const sequel = { done: IDLE, tooLate: IDLE, untold: IDLE };
    return write(place, 'gives up for the owner', arrival.write, sequel);
  }
  const { kind, held } = arrival;
  const isFirst = arrival.write.kind === 'insert';
  const verb =
    kind === 'resend' ? 'takes over to resend' : isFirst ? 'reserves the key' : 'takes over';
  const done: Phase = { kind: kind === 'resend' ? 'ready' : 'holding', held };
  return write(place, verb, arrival.write, { done, tooLate: IDLE, untold: unsure(held) });
}

/** Only what the row says of this very attempt lets it go on. */
function lookAgain({ world: { row } }: Place, held: HeldKey): Phase {
  if (row?.owner !== held.owner || row.fence !== held.fence) return GONE;
  if (row.state === 'CLAIMED') return { kind: 'holding', held };
  return row.state === 'DISPATCHED' && row.attempt === held.owner ? { kind: 'ready', held } : GONE;
}

/** The effect is part of the transaction that settles: it happens if that commits. */
function doLocally(place: Place, held: HeldKey): readonly Step<World>[] {
  const { machine } = place.setting;
  const done = machine.settle(held, 'SUCCEEDED', 'done', NOW, RULES);
  const refused = machine.settle(held, 'FAILED_FINAL', 'refused', NOW, RULES);
  const sequel = { done: GONE, tooLate: GONE, untold: unsure(held) };
  return [
    ...write(place, 'does it and settles', done, sequel, true),
    ...write(place, 'refuses and settles', refused, sequel),
  ];
}

function intend(place: Place, held: HeldKey): readonly Step<World>[] {
  const { machine, sendsAfterIntent } = place.setting;
  if (!sendsAfterIntent) return [send(place, held)];
  const done: Phase = { kind: 'ready', held };
  return write(place, 'dispatches', machine.dispatch(held, NOW, RULES), {
    done,
    tooLate: GONE,
    untold: unsure(held),
  });
}

function giveBack(place: Place, why: string, held: HeldKey): Step<World> {
  return move(place, why, { kind: 'releasing', held });
}

function send(place: Place, held: HeldKey): Step<World> {
  const step = move(place, 'sends', { kind: 'waiting', held }, 'flying');
  return place.worker.intends ? step : { ...step, fault: FAULTS.unintended };
}

function hear(place: Place, held: HeldKey): readonly Step<World>[] {
  const { worker, setting } = place;
  if (worker.request === 'done') {
    return [move(place, 'hears that it is done', { kind: 'succeeded', held }, 'none')];
  }
  if (worker.request !== 'refused') return [];
  const isFinal = setting.refusals === 'by-key' || !held.isResend || !setting.doubtsRefusedResend;
  const next: Phase = { kind: isFinal ? 'refused' : 'doubting', held };
  return [
    move(place, 'hears a refusal', next, 'none'),
    move(place, 'hears a passing refusal', { kind: 'releasing', held }, 'none'),
  ];
}

/** A time-out, a broken line, an answer that is none. The true one may come after all. */
function mishear(place: Place, held: HeldKey): Step<World> {
  const { request } = place.worker;
  const awaited = request === 'refused' ? 'none' : request;
  return move(place, 'hears nothing clear', { kind: 'doubting', held }, awaited);
}

function extend({ world, worker, setting }: Place, held: HeldKey): readonly Step<World>[] {
  const { row, matched } = setting.store(world.row, setting.machine.extend(held, NOW, RULES));
  if (!matched) return [];
  return [{ label: `${worker.name} extends its lease`, next: withRow(world, row) }];
}

function lookLate({ world: { row }, setting }: Place, held: HeldKey): Phase {
  const amendment = row && setting.machine.late(row, held, 'done', NOW, RULES);
  return amendment === undefined ? GONE : { kind: 'amending', held, write: amendment };
}

function crash(place: Place): Step<World> {
  return place.worker.request === 'flying'
    ? move(place, 'crashes with its request under way', { kind: 'dead' })
    : move(place, 'crashes', GONE);
}

function unsure(held: HeldKey): Phase {
  return { kind: 'unsure', held };
}
