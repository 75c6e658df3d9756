/** The tools that a person should say more about than inference can tell; the terminal and the console ask about the same. */
import type { InferredEffect } from '../../effect/infer/infer-effect.ts';
import type { PinEntry } from './lock.ts';
import { checkPins } from './pins.ts';

/** Below this, inference is more often wrong than a person. */
const SURE = 0.7;

interface Reviewable {
  readonly name: string;
  readonly definition: unknown;
  readonly inferred: InferredEffect;
}

/**
 * In their order, of all tools of a server. One whose tier a person has stated needs no review; one that got riskier than
 * its pin is no question of what it does, but of whether the change is accepted, and is asked where the change is shown.
 */
export function toReview<T extends Reviewable>(
  tools: readonly T[],
  pins: ReadonlyMap<string, PinEntry> | undefined,
): readonly T[] {
  const checks = checkPins(
    pins ?? new Map<string, PinEntry>(),
    tools.map(({ definition }) => definition),
  );
  return tools.filter(
    ({ name, inferred }) =>
      inferred.confidence < SURE &&
      pins?.get(name)?.stated !== true &&
      checks.get(name)?.quarantined !== true,
  );
}
