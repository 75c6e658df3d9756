/** Whether other programs used the machine while this one started processes. */
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { familyMs, machineMs } from './process-cost.ts';

/**
 * Returns a function that gives the share of the machine that others have used since. All processes that this
 * one has started must have ended by then: what the others used is the rest.
 */
export function watchOthers(): () => number {
  const [started, own, machine] = [performance.now(), familyMs(), machineMs()];
  return () => {
    const elsewhere = machineMs() - machine - (familyMs() - own);
    return Math.max(0, elsewhere) / ((performance.now() - started) * availableParallelism());
  };
}
