/**
 * Several effects as one: those that apply to a call at once, or that it might have. The gravest names
 * it; of every other fact the one that promises least is kept, so that each contract is honoured.
 */
import type { Effect, Money, Reach, Trace } from './effect.ts';
import { effectsOf, possibleEffects, REACHES, TRACES } from './effect.ts';
import { strictestRepeat } from './repeat.ts';
import { TIERS } from './tier.ts';

export function combineEffects(effects: readonly [Effect, ...Effect[]]): Effect {
  const [only, ...more] = effects;
  if (more.length === 0) return withoutVariations(only);
  const parts = effects
    .flatMap(effectsOf)
    .map(toPart)
    .toSorted((a, b) => TIERS[b.tier].severity - TIERS[a.tier].severity);
  const [gravest = only, ...others] = parts;
  const money = toMoney(parts);
  const secretsReason = parts.find((part) => part.secretsReason !== undefined)?.secretsReason;
  // What only looks adds nothing to a call that acts, apart from the facts below.
  const also = others.filter(({ tier }) => !TIERS[tier].readsOnly);
  return Object.freeze({
    ...gravest,
    repeat: parts.map(({ repeat }) => repeat).reduce(strictestRepeat),
    reach: parts.map(({ reach }) => reach).reduce(fartherReach),
    trace: parts.map(({ trace }) => trace).reduce(deeperTrace),
    ...(money !== undefined && { money }),
    ...(secretsReason !== undefined && { secretsReason }),
    secrets: Object.freeze([...new Set(parts.flatMap(({ secrets }) => secrets))]),
    overwrites: parts.some(({ overwrites }) => overwrites),
    reversible: parts.every(({ reversible }) => reversible),
    modes: Object.freeze(
      gravest.modes.filter((mode) => parts.every(({ modes }) => modes.includes(mode))),
    ),
    ...(also.length > 0 && { also: Object.freeze(also) }),
  });
}

/** What a call must be taken for while nothing is known of its arguments. */
export function worstEffect(effect: Effect): Effect {
  const [base = effect, ...others] = possibleEffects(effect);
  return combineEffects([base, ...others]);
}

function withoutVariations(effect: Effect): Effect {
  return effect.varies.length === 0 ? effect : Object.freeze({ ...effect, varies: [] });
}

function toPart(effect: Effect): Effect {
  const { also: _, ...own } = withoutVariations(effect);
  return effect.also === undefined ? withoutVariations(effect) : Object.freeze(own);
}

/** Money that moves comes before a price that is only asked for. */
function toMoney(parts: readonly Effect[]): Money | undefined {
  const all = parts.flatMap(({ money }) => money ?? []);
  return all.find(({ moves }) => moves !== 'estimate') ?? all[0];
}

function fartherReach(a: Reach, b: Reach): Reach {
  return REACHES.indexOf(a) >= REACHES.indexOf(b) ? a : b;
}

function deeperTrace(a: Trace, b: Trace): Trace {
  return TRACES.indexOf(a) >= TRACES.indexOf(b) ? a : b;
}
