/** What the partner does with the requests under way, and what it forgets. */
import type { Step } from './search.ts';
import type { Setting } from './setting.ts';
import type { Partner, Worker, World } from './world.ts';
import { toGone, withEffect, withWorker } from './world.ts';

export function partnerSteps(world: World, setting: Setting): readonly Step<World>[] {
  const flying = world.workers.filter(({ request }) => request === 'flying');
  return [
    ...flying.flatMap((worker) => receive(world, worker, setting)),
    ...forget(world, setting),
  ];
}

function receive(world: World, worker: Worker, setting: Setting): readonly Step<World>[] {
  const { partner } = world;
  const isDedup = setting.effectClass === 'dedup';
  const known = isDedup ? partner.memory : 'none';
  const keeps = isDedup && setting.refusals === 'by-key';
  const steps: Step<World>[] = [];
  if (known === 'done') steps.push(answer(world, worker, 'done', 'remembers'));
  if (known === 'none' && !partner.isCancelled) {
    const knowing: Partner = isDedup ? { ...partner, memory: 'done', isMemoryOld: false } : partner;
    const after = withEffect({ ...world, partner: knowing });
    steps.push(answer(after, worker, 'done', 'executes'));
  }
  if (known !== 'done' || setting.refusals === 'at-the-door') {
    const after: Partner = keeps ? { ...partner, memory: 'refused', isMemoryOld: false } : partner;
    steps.push(answer({ ...world, partner: after }, worker, 'refused', 'refuses'));
  }
  return steps;
}

function answer(
  world: World,
  worker: Worker,
  request: 'done' | 'refused',
  verb: string,
): Step<World> {
  return {
    label: `the partner ${verb} ${worker.name}'s request`,
    next: withWorker(world, heard(worker, request)),
  };
}

/** The dead hear nothing, and after a doubt a refusal has no use. */
function heard(worker: Worker, request: 'done' | 'refused'): Worker {
  const { kind } = worker.phase;
  const isOver = kind === 'dead' || (kind === 'doubted' && request === 'refused');
  if (isOver) return toGone(worker);
  return { ...worker, request: kind === 'doubting' && request === 'refused' ? 'none' : request };
}

function forget(world: World, setting: Setting): readonly Step<World>[] {
  const { partner, workers } = world;
  if (partner.memory === 'none' || !partner.isMemoryOld) return [];
  if (setting.sendsInTime && workers.some(mayYetReach)) return [];
  const next: World = { ...world, partner: { ...partner, memory: 'none', isMemoryOld: false } };
  return [{ label: 'the partner forgets the key', next }];
}

/** From the moment a worker has decided to send under an old key until its request has ended. */
function mayYetReach({ phase, request }: Worker): boolean {
  if (request === 'flying' || phase.kind === 'ready') return true;
  if (phase.kind === 'arriving') return phase.arrival.kind === 'resend';
  return phase.kind === 'unsure' && phase.held.isResend;
}
