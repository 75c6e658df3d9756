/** The tools that a person should say more about than inference can tell; the terminal and the console ask about the same. */
import type { InferredEffect } from '../../effect/infer/infer-effect.ts';
import type { PinEntry } from './lock.ts';

/** Below this, inference is more often wrong than a person. */
const SURE = 0.7;

interface Reviewable {
  readonly name: string;
  readonly inferred: InferredEffect;
}

/** In their order. One whose tier a person has stated needs no review. */
export function toReview<T extends Reviewable>(
  tools: readonly T[],
  pins: ReadonlyMap<string, PinEntry> | undefined,
): readonly T[] {
  return tools.filter(
    ({ name, inferred }) => inferred.confidence < SURE && pins?.get(name)?.stated !== true,
  );
}
