/** Finds facts of an effect that are none of their values, before anything is read from them. */
import { ACTS } from './act.ts';
import type { Effect } from './effect.ts';
import { MODES, MOVES, REACHES, TRACES } from './effect.ts';
import { isRepeat } from './repeat.ts';

/** The first fact that is not one of its values, in words. Only casts get past the types. */
export function findUnknownFact({
  act,
  reach,
  trace,
  modes,
  repeat,
  money,
}: Effect): string | undefined {
  const facts: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
    ['act', Object.keys(ACTS), [act]],
    ['reach', REACHES, [reach]],
    ['trace', TRACES, [trace]],
    ['mode', MODES, modes.length === 0 ? [undefined] : modes],
    ['movement of money', MOVES, money === undefined ? [] : [money.moves]],
  ];
  for (const [name, known, said] of facts) {
    const at = said.findIndex((one) => !known.includes(one));
    if (at !== -1) return `"${String(said[at])}" is not a known ${name}`;
  }
  return isRepeat(repeat) ? undefined : 'its repeat is not a known contract';
}
