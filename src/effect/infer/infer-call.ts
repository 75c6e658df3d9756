/**
 * The effect of one call of a foreign tool: narrowed by the arguments that make it milder, then raised by
 * whatever else its arguments say. The arguments come from a caller who may be misled.
 */
import { combineEffects } from '../combine-effects.ts';
import type { Effect } from '../effect.ts';
import { effectsOf } from '../effect.ts';
import { narrowSeen } from '../narrow-effect.ts';
import { TIERS } from '../tier.ts';
import type { InferredEffect } from './infer-effect.ts';
import type { CalledTool } from './read-arguments.ts';
import { readArguments } from './read-arguments.ts';
import { DRY_RUN, toKey } from './read-parameters.ts';
import type { Signal } from './reason.ts';
import { toEffect } from './to-effect.ts';

type Json = Readonly<Record<string, unknown>>;

export interface InferredCall extends Pick<InferredEffect, 'confidence' | 'reasons'> {
  readonly effect: Effect;
}

/** `tool` is the definition that `inferred` was made from. */
export function inferCall(tool: Json, inferred: InferredEffect, args: Json): InferredCall {
  const { reasons, confidence, isStated } = inferred;
  const narrowed = narrowSeen(isStated ? inferred.effect : toplevel(inferred.effect), {
    args,
    inputSchema: tool['inputSchema'],
    // A stated default is a promise like any other: only a trusted server's own declaration counts.
    believesDefaults: reasons[0]?.code === 'declared',
  });
  const found =
    isStated || isRehearsal(inferred.effect, args)
      ? []
      : readArguments(toCalled(tool, inferred.effect, narrowed), args);
  const raising = found.filter(({ tier }, at) => {
    const known = effectsOf(narrowed).some((one) => one.tier === tier);
    return !known && found.findIndex((other) => other.tier === tier) === at;
  });
  if (raising.length === 0) return { effect: narrowed, reasons, confidence };
  return {
    effect: raiseEffect(narrowed, raising),
    reasons: [...raising.map(({ reason }) => reason), ...reasons],
    confidence,
  };
}

/** What is inside other arguments is read from the call itself, so that its mere presence tells nothing. */
function toplevel(effect: Effect): Effect {
  const varies = effect.varies.filter(({ when }) => !('given' in when));
  return varies.length === effect.varies.length ? effect : Object.freeze({ ...effect, varies });
}

/** A trusted server's dry run: nobody else has such a variation. */
function isRehearsal({ varies }: Effect, args: Json): boolean {
  return varies.some(
    ({ when }) =>
      'argument' in when && DRY_RUN.test(toKey(when.argument)) && args[when.argument] === true,
  );
}

function toCalled(tool: Json, worst: Effect, narrowed: Effect): CalledTool {
  const { name, description, inputSchema } = tool;
  return {
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : '',
    inputSchema,
    looks: TIERS[worst.tier].readsOnly,
    looksNow: TIERS[narrowed.tier].readsOnly,
  };
}

function raiseEffect(narrowed: Effect, raising: readonly Signal[]): Effect {
  const { also = [], ...own } = narrowed;
  const raised = raising.map(({ act, tier, reason }) =>
    toEffect(act, tier, reason.text, {
      reach: TIERS[tier].issuesSecrets ? 'third-party' : narrowed.reach,
      // Whether a key covers what the definition does not speak of, nobody knows.
      repeatOf: (fitting) => (fitting === 'spend' || fitting === 'refund' ? 'fresh' : undefined),
    }),
  );
  return combineEffects([own, ...also, ...raised]);
}
