/**
 * Which arguments make a foreign call milder than its worst case. The worst case is the base, so an
 * argument that is missing or has a value nobody listed counts as the worst.
 */
import type { Effect, Variation } from '../effect.ts';
import { TIERS } from '../tier.ts';
import type { Choice } from './read-choices.ts';
import { DRY_RUN } from './read-choices.ts';
import type { Parameters } from './read-parameters.ts';
import type { Signal } from './signal.ts';
import { graverSignal } from './signal.ts';

/** What is read apart from the choices; a verb that stands for anything is told by them. */
function isFixed({ reason }: Signal, choices: readonly Choice[]): boolean {
  if (reason.code === 'open-ended' || reason.code === 'noun-only' || reason.code === 'unreadable')
    return false;
  return !choices.some(({ signal }) => signal?.reason === reason);
}

export function deriveVariations(
  signals: readonly Signal[],
  choices: readonly Choice[],
  toEffect: (meant: Signal) => Effect,
): readonly Variation[] {
  const [worst] = signals;
  const fixed = signals.filter((one) => isFixed(one, choices));
  if (worst === undefined) return [];
  return choices.flatMap(({ parameter, value, signal }): Variation[] => {
    if (signal === undefined || !parameter.top) return [];
    const others = choices.filter((other) => other.parameter.name !== parameter.name);
    // What another argument can do stays possible, whatever this one says.
    const rest = [...fixed, ...others.flatMap((other) => other.signal ?? [])];
    if (typeof value === 'boolean' && rest.length === 0) return [];
    const meant = rest.reduce(graverSignal, signal);
    if (TIERS[meant.tier].severity >= TIERS[worst.tier].severity) return [];
    return [{ when: { argument: parameter.name, is: [value] }, effect: toEffect(meant) }];
  });
}

/** A rehearsal is a promise, and believed only of a server that is trusted. */
export function deriveRehearsal({ all }: Parameters, rehearsal: Effect): readonly Variation[] {
  return all
    .filter(({ key, top }) => top && DRY_RUN.test(key))
    .map(({ name }) => ({ when: { argument: name, is: [true] }, effect: rehearsal }));
}
