/**
 * One builder per act, so that a declaration reads as a sentence: `effect: deletes('note', { repeat:
 * 'end-state' })`. Builders fill in the act's defaults and freeze the result; they validate nothing.
 */
import type { Act } from './act.ts';
import { ACTS } from './act.ts';
import { combineEffects, worstEffect } from './combine-effects.ts';
import type { Condition, Effect, Mode, Money, Reach, Trace } from './effect.ts';
import type { RepeatSpelling } from './repeat.ts';
import { repeat } from './repeat.ts';
import type { Tier } from './tier.ts';

/** The facts of an act that a declaration may override. */
export interface Facts {
  /** Several where a repeat is safe in several ways: `['end-state', 'key-optional']`. */
  readonly repeat?: RepeatSpelling | readonly RepeatSpelling[];
  readonly reach?: Reach;
  readonly trace?: Trace;
  /** A tier other than the act's own needs `tierReason`. */
  readonly tier?: Tier;
  readonly tierReason?: string;
  readonly money?: Money;
  readonly secrets?: readonly string[];
  readonly secretsReason?: string;
  readonly overwrites?: boolean;
  readonly reversible?: boolean;
  readonly modes?: readonly Mode[];
}

/** Facts of an act that moves money: the operation that estimates its price, and how it moves. */
export interface SpendFacts extends Omit<Facts, 'money'> {
  readonly estimate?: string;
  /** Credits are set aside now and charged later. */
  readonly reserves?: boolean;
}

type Builder = (object: string, facts?: Facts) => Effect;

/** Reads something and changes nothing. */
export const reads: Builder = (object, facts) => build('read', object, facts);
/** Estimates what a spend would cost; the read that precedes it. */
export function estimates(unit: string, facts: Omit<Facts, 'money'> = {}): Effect {
  return build('read', 'estimate', { ...facts, money: { moves: 'estimate', unit } });
}
/** Runs work that costs time and machines but no money. */
export const computes: Builder = (object, facts) => build('compute', object, facts);
export const creates: Builder = (object, facts) => build('create', object, facts);
export const appends: Builder = (object, facts) => build('append', object, facts);
/** Changes some fields and keeps the rest. */
export const updates: Builder = (object, facts) => build('update', object, facts);
/** Replaces the whole content, whatever was there. */
export const puts: Builder = (object, facts) => build('put', object, facts);
/** Gives a property a value; setting it again changes nothing. */
export const sets: Builder = (object, facts) => build('set', object, facts);
export const moves: Builder = (object, facts) => build('move', object, facts);
/** Moves something to where it can be restored from. */
export const archives: Builder = (object, facts) => build('archive', object, facts);
export const deletes: Builder = (object, facts) => build('delete', object, facts);
/** Revokes a right or a credential. */
export const revokes: Builder = (object, facts) => build('revoke', object, facts);
/** Stops something that was running or scheduled. */
export const cancels: Builder = (object, facts) => build('cancel', object, facts);
/** Hands out access: a link, an export, a key. */
export const shares: Builder = (object, facts) => build('share', object, facts);
/** Sends something that cannot be recalled. */
export const delivers: Builder = (object, facts) => build('deliver', object, facts);
/** Sets up an account, a grant or a connection. */
export const provisions: Builder = (object, facts) => build('provision', object, facts);

/** Moves money or credits away from the caller. */
export function spends(unit: string, facts: SpendFacts = {}): Effect {
  const { estimate, reserves = false, ...rest } = facts;
  const money: Money = {
    moves: reserves ? 'reserve' : 'charge',
    unit,
    ...(estimate !== undefined && { estimate }),
  };
  return build('spend', unit, { ...rest, money });
}

/** Returns money. */
export function refunds(unit: string, facts: Omit<Facts, 'money'> = {}): Effect {
  return build('refund', unit, { ...facts, money: { moves: 'refund', unit } });
}

/**
 * Several acts in one call: `together(cancels('subscription'), refunds('USD'))`. The gravest one names it,
 * and every other fact is the strictest of all.
 */
export function together(first: Effect, ...others: readonly Effect[]): Effect {
  return combineEffects([worstEffect(first), ...others.map(worstEffect)]);
}

/** The base effect, and the effects that certain arguments change it to. */
export function varies(
  usual: Effect,
  ...variations: readonly { readonly when: Condition; readonly effect: Effect }[]
): Effect {
  return freeze({ ...usual, varies: [...usual.varies, ...variations] });
}

/** `when('action', 'delete')`: holds when the argument is one of the values. */
export function when(argument: string, ...is: readonly (string | number | boolean)[]): Condition {
  return freeze(is.length === 0 ? { argument, given: true as const } : { argument, is });
}

/** `whenState('refund-failed')`: holds when the operation finds this in its store. */
export function whenState(state: string): Condition {
  return freeze({ state });
}

function build(act: Act, object: string, facts: Facts = {}): Effect {
  const usual = ACTS[act];
  return freeze({
    act,
    object,
    tier: facts.tier ?? usual.tier,
    ...(facts.tierReason !== undefined && { tierReason: facts.tierReason }),
    repeat: facts.repeat === undefined ? usual.repeat : repeat(facts.repeat),
    reach: facts.reach ?? 'own-store',
    trace: facts.trace ?? 'log',
    ...(facts.money !== undefined && { money: facts.money }),
    secrets: facts.secrets ?? [],
    ...(facts.secretsReason !== undefined && { secretsReason: facts.secretsReason }),
    overwrites: facts.overwrites ?? usual.overwrites,
    reversible: facts.reversible ?? usual.reversible,
    modes: facts.modes ?? ['sandbox', 'live'],
    varies: [],
  });
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && !Object.isFrozen(inner)) freeze(inner);
  }
  return Object.freeze(value);
}

/** The builder of each act, for code that knows the act only at run time. */
export type Build = (object: string, facts?: SpendFacts) => Effect;

export const BUILDERS: Readonly<Record<Act, Build>> = Object.freeze({
  read: reads,
  compute: computes,
  create: creates,
  append: appends,
  update: updates,
  put: puts,
  set: sets,
  move: moves,
  archive: archives,
  delete: deletes,
  revoke: revokes,
  cancel: cancels,
  spend: spends,
  refund: refunds,
  share: shares,
  deliver: delivers,
  provision: provisions,
});
