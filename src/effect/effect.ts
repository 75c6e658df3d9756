/**
 * An effect: what one call of an operation does to the world, as facts. Hints, prompts, retries
 * and records are functions of it and live elsewhere.
 */
import type { Act } from './act.ts';
import { ACTS } from './act.ts';
import type { Repeat } from './repeat.ts';
import type { Tier } from './tier.ts';
import { graverTier } from './tier.ts';

/** How far a call reaches: nowhere, our own store, the caller's account, a vendor, beyond. */
export type Reach =
  | 'none'
  | 'own-store'
  | 'own-account'
  | 'vendor-data'
  | 'third-party'
  | 'user-url';

/** What the call itself records, apart from its purpose. */
export type Trace = 'nothing' | 'log' | 'audit';

export type Mode = 'sandbox' | 'live';

export interface Money {
  readonly moves: 'estimate' | 'reserve' | 'charge' | 'refund';
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
  /** Effects that replace this one for certain arguments. */
  readonly varies: readonly Variation[];
}

/** Arguments that change the effect, and the effect they change it to. */
export interface Variation {
  readonly when: Condition;
  readonly effect: Effect;
}

/** Holds when the argument is one of these values, or, with `given`, when it is present at all. */
export type Condition =
  | { readonly argument: string; readonly is: readonly (string | number | boolean)[] }
  | { readonly argument: string; readonly given: true };

/** The one effect a call with these arguments has: the gravest matching variation, else the base. */
export function narrowEffect(effect: Effect, args: Readonly<Record<string, unknown>>): Effect {
  const matching = effect.varies.filter((variation) => holds(variation.when, args));
  if (matching.length === 0) return effect;
  return matching.map((variation) => variation.effect).reduce(graver);
}

/** Every effect that some arguments can cause, the base first. */
export function possibleEffects(effect: Effect): readonly Effect[] {
  return [effect, ...effect.varies.map((variation) => variation.effect)];
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

function holds(condition: Condition, args: Readonly<Record<string, unknown>>): boolean {
  if (!Object.hasOwn(args, condition.argument)) return false;
  const value = args[condition.argument];
  if ('given' in condition) return value !== undefined && value !== null;
  return condition.is.some((wanted) => wanted === value);
}

/** Whether a reach stays within what the server or its caller owns. */
const INSIDE: ReadonlySet<Reach> = new Set(['none', 'own-store', 'own-account']);

export function staysInside(reach: Reach): boolean {
  return INSIDE.has(reach);
}
