/**
 * The model of calls at the gate: the real machine of a call's life and the real machine of key records,
 * moved by clients, a person, a server, a sweeper, the clock and crashes. Any of them may take the next step.
 */
import { Driver, LIFE_FAULTS } from './life-driver.ts';
import { callSteps } from './life-call-steps.ts';
import { disturbingSteps, personSteps, requestSteps, rowSteps } from './life-outside-steps.ts';
import type { LifeSetting, LifeWorld } from './life-world.ts';
import { initialLifeWorld, isLeftOpen, lifeKey } from './life-world.ts';
import type { Model, Step } from './search.ts';
import { NOW } from './world.ts';

export function lifeModel(setting: LifeSetting): Model<LifeWorld> {
  return {
    initial: initialLifeWorld(setting),
    key: lifeKey,
    steps: (world) => {
      const steps = stepsOf(world, setting);
      // A last step that changes nothing leads nowhere.
      const [only] = steps;
      const isStill = steps.length <= 1 && (only === undefined || isSame(only.next, world));
      return isStill ? atTheEnd(world) : steps;
    },
    faults: (_, after) => faultsOf(after),
  };
}

function isSame(one: LifeWorld, other: LifeWorld): boolean {
  return lifeKey(one) === lifeKey(other);
}

function stepsOf(world: LifeWorld, setting: LifeSetting): readonly Step<LifeWorld>[] {
  const steps: Step<LifeWorld>[] = [];
  const take = (label: string, go: (driver: Driver) => void): void => {
    const driver = new Driver(world, setting);
    go(driver);
    steps.push({ label, next: driver.world, fault: driver.faults[0], mark: driver.ended });
  };
  for (const call of world.calls) {
    if (!call.isDead) callSteps(call, world, setting, take);
    requestSteps(call, setting, take);
  }
  personSteps(world, take);
  disturbingSteps(world, take);
  rowSteps(world, setting, take);
  return steps;
}

/** What must hold in every state. */
function faultsOf({
  calls,
  rows,
  effects,
  allowedRepeats,
  question,
}: LifeWorld): readonly string[] {
  const faults: string[] = [];
  if (effects.length > 1 + allowedRepeats) faults.push(LIFE_FAULTS.twice);
  const done = new Set<string>();
  for (const { requests } of calls) {
    for (const { record, state } of requests) {
      if (state === 'done') done.add(record);
      const mayHaveRun = state === 'flying' || state === 'done';
      if (mayHaveRun && rows[record] === undefined) faults.push(LIFE_FAULTS.forgotten);
    }
  }
  for (const { id, state } of Object.values(rows)) {
    if (state === 'SUCCEEDED' && !done.has(id)) faults.push(LIFE_FAULTS.hollow);
  }
  for (const call of calls) {
    if (call.life?.kind !== 'ended' || call.isDead) continue;
    const isHeld = Object.values(rows).some(
      ({ owner, state, lease_until }) =>
        owner.startsWith(call.name) && state === 'DISPATCHED' && lease_until > NOW,
    );
    const isAdmitted = call.admission.kind !== 'none';
    if (call.hasEstimate || call.hasTimer || (isHeld && !isAdmitted)) faults.push(LIFE_FAULTS.kept);
  }
  // Whoever is told to come back finds the question; nobody else leaves one open.
  const isOver = calls.every(({ life, isDead }) => life?.kind === 'ended' && !isDead);
  const isLeft = calls.some(({ end }) => isLeftOpen(end));
  if (isOver && question.state === 'open' && !isLeft) faults.push(LIFE_FAULTS.kept);
  return faults;
}

/** What must hold where nothing can happen any more. */
function atTheEnd(world: LifeWorld): readonly Step<LifeWorld>[] {
  const fault = (which: string): readonly Step<LifeWorld>[] => [
    { label: 'nothing happens any more', next: world, fault: which },
  ];
  for (const { life, isDead, receipts, answers, client } of world.calls) {
    if (isDead) continue;
    if (life?.kind !== 'ended') return fault(LIFE_FAULTS.stuck);
    const isAnswered = client === 'waits' ? answers === 1 : answers <= 1;
    if (receipts !== 1 || !isAnswered) return fault(LIFE_FAULTS.lacking);
  }
  return [];
}
