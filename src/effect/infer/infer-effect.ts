/**
 * Infers the effect of a foreign tool: what it does to the world, whether a person is asked first, how
 * certain that is and why. Pure and fast; it calls nothing and trusts no unsupported promise.
 */
import { ACTS } from '../act.ts';
import type { Effect } from '../effect.ts';
import { effectsOf, gravestEffect, worstTier } from '../effect.ts';
import { combineEffects } from '../combine-effects.ts';
import type { StampReading } from '../read-stamp.ts';
import { readStamp } from '../read-stamp.ts';
import type { Tier } from '../tier.ts';
import { TIERS } from '../tier.ts';
import { readDeclaredEffect } from './read-declared-effect.ts';
import {
  deriveReach,
  deriveRepeat,
  deriveRehearsal,
  deriveVariations,
  toEffect,
} from './to-effect.ts';
import { isDeclared } from './is-declared.ts';
import { findEstimate } from './find-estimate.ts';
import { readParameters } from './read-parameters.ts';
import type { ListReading } from './read-list.ts';
import { readList } from './read-list.ts';
import type { TextReading } from './read-text.ts';
import { readText } from './read-text.ts';
import type { Reason, Signal } from './reason.ts';
import { ENOUGH_CONFIDENCE, graverSignal, signal } from './reason.ts';
import type { Circumstances } from './to-effect.ts';
import type { Trust } from './trust.ts';
import { weighTrust } from './trust.ts';

export interface InferredEffect {
  /** The worst case; `varies` holds the arguments that make a call milder. */
  readonly effect: Effect;
  /** A person is asked before a call, under the default policy, unless its arguments make it milder. */
  readonly asks: boolean;
  /** A person or a trusted server said what it does: of arguments only those count that `varies` names. */
  readonly isStated: boolean;
  /** The server says what it does, other than by its words or by a warning that it gives out of habit. */
  readonly isDeclared: boolean;
  /** From 0 to 1. */
  readonly confidence: number;
  /** The deciding one first. */
  readonly reasons: readonly Reason[];
}

/** With the server's whole list, siblings and habits count, and a spend gets the tool that estimates its price. */
export function inferEffect(
  tool: unknown,
  trust: Trust = {},
  list: readonly unknown[] = NO_LIST,
): InferredEffect {
  const stamp = readStamp(tool);
  const name = stamp.name ?? '';
  const trusted = trust.trusted === true;
  const parameters = readParameters(partOf(tool, 'inputSchema'));
  const siblings = readList(list, (other, its, all) => toText(other, its, all).signals[0]);
  const { signals, choices } = toText(tool, stamp, siblings, parameters);
  const [first] = signals;
  const declared = readDeclaredEffect(tool);
  const warnsByHabit = (): boolean =>
    !siblings.tellsDestructive(ACTS[first.act].change) ||
    siblings.hasWayBack(name) ||
    siblings.warnsByDefinition(name);
  const verdict = weighTrust(
    { tier: first.tier, confidence: first.weight, reasons: signals.map(({ reason }) => reason) },
    stamp,
    trust,
    { declared, warnsByHabit },
  );
  const reasons = Object.freeze([...verdict.reasons]);
  const confidence = Math.round(verdict.confidence * 100) / 100;
  if (declared !== undefined && reasons[0]?.code === 'declared')
    return Object.freeze({
      effect: declared,
      asks: TIERS[worstTier(declared)].asks,
      isStated: true,
      isDeclared: true,
      confidence,
      reasons,
    });
  const act = trust.pin?.act ?? first.act;
  const beside = trust.pin === undefined ? claimedBeside(verdict.tier, stamp, declared) : NO_TIERS;
  const found: Circumstances = {
    reach: deriveReach(act, name, parameters, stamp, trusted),
    repeatOf: (fitting) => deriveRepeat(fitting, parameters, stamp, trusted),
    // Searching the list for every tool would take quadratic time.
    estimate: [verdict.tier, ...beside].some((tier) => TIERS[tier].needsRepeatContract)
      ? findEstimate(list, tool)
      : undefined,
  };
  const gravest = toEffect(act, verdict.tier, reasons[0]?.text ?? '', found);
  const worst = combineEffects([
    gravest,
    ...beside.map((tier) => toEffect(first.act, tier, `its _meta claims ${tier}`, found)),
  ]);
  // A tier that was pinned, claimed or observed does not depend on arguments.
  const asRead = verdict.tier === first.tier && trust.pin === undefined;
  const milder = asRead
    ? deriveVariations(signals, choices, (meant) =>
        toEffect(meant.act, meant.tier, meant.reason.text, found),
      )
    : [];
  const rehearsal = deriveRehearsal(parameters, trust, toEffect('read', 'read', '', found));
  const effect = Object.freeze({ ...worst, varies: Object.freeze([...milder, ...rehearsal]) });
  const { readOnlyHint } = stamp.hints;
  return Object.freeze({
    effect,
    asks: TIERS[effect.tier].asks || confidence < ENOUGH_CONFIDENCE,
    isStated:
      trust.pin !== undefined ||
      (trusted && readOnlyHint.state === 'claimed' && readOnlyHint.value),
    isDeclared: isDeclared(tool, () =>
      // What asks may do less in one call, and is then a write like those that the habit is about.
      TIERS[first.tier].asks ? !siblings.tellsDestructive('nothing') : warnsByHabit(),
    ),
    confidence,
    reasons,
  });
}

const NO_LIST: readonly unknown[] = [];
const NO_TIERS: readonly Tier[] = [];

/** A milder tier that the server itself claims keeps its rules: a spend that also deletes is still approved one by one. */
function claimedBeside(
  tier: Tier,
  { tier: claimed }: StampReading,
  declared: Effect | undefined,
): readonly Tier[] {
  const all = new Set([
    ...(claimed.state === 'claimed' ? [claimed.value] : NO_TIERS),
    ...(declared === undefined
      ? NO_TIERS
      : effectsOf(gravestEffect(declared)).map((one) => one.tier)),
  ]);
  return [...all].filter((one) => TIERS[one].asks && TIERS[one].severity < TIERS[tier].severity);
}

function toText(
  tool: unknown,
  { name = '', title = '' }: StampReading,
  siblings: ListReading,
  parameters = readParameters(partOf(tool, 'inputSchema')),
): TextReading {
  const description = siblings.ownDescription(textOf(tool, 'description'));
  const isPrepared = siblings.goesOutLater(name);
  const own = siblings.ownName(name);
  const read = readText({ name: own, title, description, parameters, isPrepared });
  return parameters.isCut === true ? withUnread(read) : read;
}

/** Padding, depth and references elsewhere can hide a parameter that would ask. */
function withUnread({ signals, choices }: TextReading): TextReading {
  const [first, ...rest] = signals;
  const isGrave = graverSignal(first, UNREAD) === first;
  return { signals: isGrave ? [first, UNREAD, ...rest] : [UNREAD, ...signals], choices };
}
const UNREAD: Signal = signal('delete', 0.4, {
  code: 'parameter',
  source: 'schema',
  text: 'it has parameters that are not read: too many, too deep, or behind a reference that leads nowhere',
});

function textOf(tool: unknown, key: string): string {
  const value = partOf(tool, key);
  return typeof value === 'string' ? value : '';
}

function partOf(tool: unknown, key: string): unknown {
  if (typeof tool !== 'object' || tool === null || !Object.hasOwn(tool, key)) return undefined;
  return (tool as Readonly<Record<string, unknown>>)[key]; // a JSON object has string keys only
}
