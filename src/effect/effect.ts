/**
 * An effect: what one call of an operation does to the world, as facts. Hints, prompts, retries
 * and records are functions of it and live elsewhere.
 */
import type { Act } from './act.ts';
import { ACTS } from './act.ts';
import type { Repeat } from './repeat.ts';
import type { Tier, TierTraits } from './tier.ts';
import { graverTier, TIERS } from './tier.ts';

/** How far a call reaches: nowhere, our own store, the caller's account, a vendor, beyond. */
export type Reach = (typeof REACHES)[number];

/** The farther, the later. */
export const REACHES = [
  'none',
  'own-store',
  'own-account',
  'vendor-data',
  'third-party',
  'user-url',
] as const;

/** What the call itself records, apart from its purpose. */
export type Trace = (typeof TRACES)[number];

export const TRACES = ['nothing', 'log', 'audit'] as const;

export type Mode = (typeof MODES)[number];

export const MODES = ['sandbox', 'live'] as const;

export const MOVES = ['estimate', 'reserve', 'charge', 'refund'] as const;

export interface Money {
  readonly moves: (typeof MOVES)[number];
  /** What is counted: `credits`, `EUR`, … */
  readonly unit: string;
  /** The operation that estimates the price before this one is called. */
  readonly estimate?: string;
}

export interface Effect {
  readonly act: Act;
  /** What the act is done to: `note`, `order`, `product`. */
  readonly object: string;
  readonly tier: Tier;
  /** Why the tier is not the one the act usually has. */
  readonly tierReason?: string;
  readonly repeat: Repeat;
  readonly reach: Reach;
  readonly trace: Trace;
  readonly money?: Money;
  /** Result fields that are shown once. */
  readonly secrets: readonly string[];
  /** Why a tier that is not meant for secrets returns one. */
  readonly secretsReason?: string;
  readonly overwrites: boolean;
  readonly reversible: boolean;
  readonly modes: readonly Mode[];
  /** Effects that replace this one for certain arguments, each with variations of its own if need be. */
  readonly varies: readonly Variation[];
  /** Where one call has several effects at once: those beside this one, which has the strictest facts of all. */
  readonly also?: readonly Effect[];
}

/** Limits on what a declaration may hold, and on what is read of one. */
export const DEEPEST_VARIATION = 4;
export const MOST_VARIATIONS = 64;

/** What changes the effect, and the effect that it is changed to. */
export interface Variation {
  readonly when: Condition;
  readonly effect: Effect;
}

/** On an argument, which callers can see, or on what is stored, which only the server knows. */
export type Condition = ArgumentCondition | { readonly state: string };

/** Holds when the argument is one of these values, or, with `given`, when it is present at all. */
export type ArgumentCondition =
  | { readonly argument: string; readonly is: readonly (string | number | boolean)[] }
  | { readonly argument: string; readonly given: true };

/** Every effect that some arguments can cause, the base first. */
export function possibleEffects(effect: Effect): readonly Effect[] {
  return [effect, ...effect.varies.flatMap((variation) => possibleEffects(variation.effect))];
}

/** The stored states that the effect depends on, at any depth. */
export function statesOf({ varies }: Effect): readonly string[] {
  return varies.flatMap(({ when, effect }) => [
    ...('state' in when ? [when.state] : []),
    ...statesOf(effect),
  ]);
}

/** Every effect of one call, the gravest first. */
export function effectsOf(effect: Effect): readonly Effect[] {
  return effect.also === undefined ? [effect] : [effect, ...effect.also];
}

/** Whether one of the effects of a call is of a tier like this. */
export function someTier(effect: Effect, is: (traits: TierTraits) => boolean): boolean {
  return effectsOf(effect).some(({ tier }) => is(TIERS[tier]));
}

/** The gravest effect that any arguments can cause. */
export function gravestEffect(effect: Effect): Effect {
  return possibleEffects(effect).reduce(graver);
}

export function worstTier(effect: Effect): Tier {
  return gravestEffect(effect).tier;
}

/** What the effect does to existing state. */
export function changeOf(effect: Effect): (typeof ACTS)[Act]['change'] {
  return ACTS[effect.act].change;
}

function graver(a: Effect, b: Effect): Effect {
  return graverTier(a.tier, b.tier) === a.tier ? a : b;
}

/** Whether a reach stays within what the server or its caller owns. */
const INSIDE: ReadonlySet<Reach> = new Set(['none', 'own-store', 'own-account']);

export function staysInside(reach: Reach): boolean {
  return INSIDE.has(reach);
}
