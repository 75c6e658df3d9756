/**
 * The fault plan in its small version: one fault at every point, and all of them where most is at stake.
 * `npm run faults` plays all of it.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { EFFECT_CLASSES } from './effect-classes.ts';
import type { FaultPlan } from './fault-plan.ts';
import { describeRun, openFaultPlan, playRun } from './fault-plan.ts';
import { FAULTS } from './points.ts';

const IN_FULL: ReadonlySet<string> = new Set(['local write', 'spend, opaque', 'reconcile']);

let plan: FaultPlan;

beforeAll(async () => {
  plan = await openFaultPlan();
});

describe('the fault plan', () => {
  it('has every point that a call passes; a new one belongs into this list', () => {
    expect(plan.points).toEqual({
      read: 35,
      write: 39,
      delete: 39,
      delivery: 39,
      'local write': 48,
      'keyed write': 53,
      'spend, dedup': 53,
      'spend, opaque': 53,
      'spend, lookup': 53,
      'spend, derived key, dedup': 53,
      'spend, derived key, opaque': 53,
      refund: 53,
      share: 57,
      reconcile: 66,
    });
    const total = Object.values(plan.points).reduce((sum, count) => sum + count, 0);
    expect(plan.runs).toHaveLength(total * FAULTS.length);
  });

  it.each(EFFECT_CLASSES.map(({ name }) => [name]))(
    '%s: one effect at most, one receipt for each answer, nothing open, nothing untrue',
    async (name) => {
      const failed: string[] = [];
      for (const run of plan.runs) {
        const { point, fault } = run.injection;
        const isDue = IN_FULL.has(name) || FAULTS[point % FAULTS.length] === fault;
        if (run.effectClass.name !== name || !isDue) continue;
        const { violations, codes } = await playRun(run);
        if (violations.length === 0) continue;
        failed.push(`${describeRun(run)}: ${violations.join('; ')} (${codes.join(', ')})`);
      }
      expect(failed).toEqual([]);
    },
    120_000,
  );

  it('plays the same run again by its number', async () => {
    const run = plan.runs.find(
      ({ effectClass, point, injection }) =>
        effectClass.name === 'spend, opaque' && point === 'receive' && injection.fault === 'lost',
    );
    if (run === undefined) throw new Error('there is no such run');
    const again = (await openFaultPlan()).runs[run.number - 1];
    if (again === undefined) throw new Error('there is no such run');
    const [first, second] = [await playRun(run), await playRun(again)];
    expect(second).toEqual(first);
    expect(first.codes).toEqual([
      'outcome-doubtful',
      'outcome-unknown',
      'outcome-unknown',
      'outcome-unknown',
    ]);
  });
});
