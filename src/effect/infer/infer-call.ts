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
import { findInnerCalls } from './inner-calls.ts';
import { isQueryCall } from './is-query-call.ts';
import { DRY_RUN } from './read-choices.ts';
import { toKey } from './read-parameters.ts';
import type { Reason, Signal } from './reason.ts';
import { toEffect } from './to-effect.ts';

type Json = Readonly<Record<string, unknown>>;

export interface InferredCall extends Pick<InferredEffect, 'confidence' | 'reasons'> {
  readonly effect: Effect;
}

/** A tool of the same server. */
interface Sibling {
  readonly definition: Json;
  readonly inferred: InferredEffect;
}

/** Calls in calls in calls are not followed any further. */
const DEEPEST = 3;

/**
 * `tool` is the definition that `inferred` was made from. `find` gives the other tools of its server,
 * for one that calls them by name.
 */
export function inferCall(
  tool: Json,
  inferred: InferredEffect,
  args: Json,
  find: (name: string) => Sibling | undefined = () => undefined,
  depth = 0,
): InferredCall {
  const { reasons, confidence, isStated } = inferred;
  const [first] = reasons;
  if (first?.code === 'calls-tools' && !isStated) {
    const inner = depth < DEEPEST ? inferInner(args, find, depth) : undefined;
    if (inner !== undefined) return inner;
  }
  const { effect, asks } = inferred;
  if (asks && isQueryCall(toCalled(tool, effect, effect), inferred, args)) return toQuery(inferred);
  const isDeclared = first?.code === 'declared';
  const isContradicted = !isDeclared && isRehearsal(effect, args) && contradictsRehearsal(args);
  const believed = isContradicted ? withoutRehearsal(effect) : effect;
  const narrowed = narrowSeen(isStated ? believed : toplevel(believed), {
    args,
    inputSchema: tool['inputSchema'],
    // A stated default is a promise like any other: only a trusted server's own declaration counts.
    believesDefaults: isDeclared,
  });
  const found =
    isStated || isRehearsal(believed, args)
      ? []
      : readArguments(toCalled(tool, inferred.effect, narrowed), args);
  if (found.length === 0) return { effect: narrowed, reasons, confidence };
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

/** The calls inside, as if they were made directly; nothing when one of them cannot be told. */
function inferInner(
  args: Json,
  find: (name: string) => Sibling | undefined,
  depth: number,
): InferredCall | undefined {
  const calls = findInnerCalls(args)?.map(({ name, args: given }) => {
    const sibling = find(name);
    return sibling && inferCall(sibling.definition, sibling.inferred, given, find, depth + 1);
  });
  const told = calls?.flatMap((call) => call ?? []) ?? [];
  const [effect, ...more] = told.flatMap(({ effect: { also = [], ...own } }) => [own, ...also]);
  if (effect === undefined || told.length !== calls?.length) return undefined;
  return {
    effect: combineEffects([effect, ...more]),
    reasons: told.flatMap((call) => call.reasons),
    confidence: Math.min(...told.map((call) => call.confidence)),
  };
}

function toQuery(inferred: InferredEffect): InferredCall {
  const text = 'this call has a query that only looks';
  const reason: Reason = { code: 'argument', source: 'arguments', text };
  return {
    effect: toEffect('read', 'read', text, {
      reach: inferred.effect.reach,
      repeatOf: () => undefined,
    }),
    reasons: [reason, ...inferred.reasons],
    confidence: inferred.confidence,
  };
}

/** What is inside other arguments is read from the call itself, so that its mere presence tells nothing. */
function toplevel(effect: Effect): Effect {
  const varies = effect.varies.filter(({ when }) => !('given' in when));
  return varies.length === effect.varies.length ? effect : Object.freeze({ ...effect, varies });
}

/** A dry run that is believed: no other has such a variation. */
function isRehearsal({ varies }: Effect, args: Json): boolean {
  return varies.some(
    ({ when }) => 'argument' in when && isSwitch(when.argument) && args[when.argument] === true,
  );
}

function isSwitch(name: string): boolean {
  return DRY_RUN.test(toKey(name));
}

/** `dryRun` and `dry_run` at once: by which one the server goes, nobody knows. */
function contradictsRehearsal(args: Json): boolean {
  const said = Object.entries(args).filter(([name]) => isSwitch(name));
  return said.length > 1 && said.some(([, value]) => value !== true);
}

function withoutRehearsal(effect: Effect): Effect {
  const varies = effect.varies.filter(
    ({ when }) => !('argument' in when && isSwitch(when.argument)),
  );
  return Object.freeze({ ...effect, varies });
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
