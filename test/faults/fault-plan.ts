/**
 * Every fault at every point for every class of effect, each run with a number of its own. The points are those
 * that a run without faults passes, so that a new one is part of the plan by itself.
 */
import type { EffectClass } from './effect-classes.ts';
import { EFFECT_CLASSES } from './effect-classes.ts';
import type { Fault, Injection } from './points.ts';
import { FAULTS } from './points.ts';
import type { RunResult } from './run-one.ts';
import { runOne } from './run-one.ts';

export interface PlannedRun {
  readonly number: number;
  readonly effectClass: EffectClass;
  readonly injection: Injection;
  /** What the point is: `commit`, `send`, `find key_records`. */
  readonly point: string;
}

export interface FaultPlan {
  /** How many points each class of effect passes. */
  readonly points: Readonly<Record<string, number>>;
  readonly runs: readonly PlannedRun[];
}

export async function openFaultPlan(): Promise<FaultPlan> {
  const points: Record<string, number> = {};
  const runs: PlannedRun[] = [];
  for (const effectClass of EFFECT_CLASSES) {
    const { points: names, violations } = await runOne(effectClass);
    if (violations.length > 0) throw new Error(`${effectClass.name}: ${violations.join('; ')}`);
    points[effectClass.name] = names.length;
    for (const [point, name] of names.entries()) {
      for (const fault of FAULTS) {
        const number = runs.length + 1;
        runs.push({ number, effectClass, injection: { point, fault }, point: name });
      }
    }
  }
  return { points, runs };
}

export function playRun({ effectClass, injection }: PlannedRun): Promise<RunResult> {
  return runOne(effectClass, injection);
}

export function describeRun({ number, effectClass, injection, point }: PlannedRun): string {
  const { fault, point: index } = injection;
  return `run ${number}: ${effectClass.name}, ${FAULT_WORDS[fault]} at point ${index} (${point})`;
}

const FAULT_WORDS: Readonly<Record<Fault, string>> = {
  error: 'an error',
  lost: 'a lost answer',
  delay: 'a delay',
  crash: 'a crash',
};
