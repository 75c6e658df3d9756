/**
 * The model of one idempotency key: workers, a store, a partner and a keeper, moved by the real
 * functions of the key record machine. Any of them may take the next step.
 */
import { invariantFaults } from './invariants.ts';
import { keeperSteps } from './keeper-steps.ts';
import { partnerSteps } from './partner-steps.ts';
import type { Model, Step } from './search.ts';
import type { Setting } from './setting.ts';
import { timeSteps } from './time-steps.ts';
import { workerSteps } from './worker-steps.ts';
import type { World } from './world.ts';
import { initialWorld } from './world.ts';
import { WorldKeys } from './world-keys.ts';

export function keyRecordModel(setting: Setting): Model<World> {
  const keys = new WorldKeys();
  return {
    initial: keys.keep(initialWorld(setting.workers)),
    key: (world) => keys.keyOf(world),
    steps: (world) => stepsOf(world, setting).map((step) => keepNext(step, world, keys)),
    faults: invariantFaults,
  };
}

function stepsOf(world: World, setting: Setting): readonly Step<World>[] {
  return [
    ...world.workers.flatMap((worker) => workerSteps({ world, worker, setting })),
    ...partnerSteps(world, setting),
    ...timeSteps(world, setting),
    ...keeperSteps(world, setting),
  ];
}

function keepNext(step: Step<World>, world: World, keys: WorldKeys): Step<World> {
  return step.next === world ? step : { ...step, next: keys.keep(step.next) };
}
