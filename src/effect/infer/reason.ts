/** Why an effect was inferred: one observation per reason, as data. */
import type { Act } from '../act.ts';
import { ACTS } from '../act.ts';
import type { Tier } from '../tier.ts';
import { TIERS } from '../tier.ts';

/** Where an observation comes from, weakest first. */
export type ReasonSource =
  | 'name'
  | 'title'
  | 'description'
  | 'schema'
  | 'arguments'
  | 'annotations'
  | 'meta'
  | 'evidence'
  | 'pin';

export type ReasonCode =
  | 'verb'
  | 'open-ended'
  | 'object'
  | 'noun-only'
  | 'phrase'
  | 'parameter'
  | 'choice'
  | 'argument'
  | 'runs-code'
  | 'calls-tools'
  | 'replaces-content'
  | 'writes-file'
  | 'instructs-the-model'
  | 'unreadable'
  | 'declared'
  | 'claim-raises'
  | 'claim-not-believed'
  | 'claim-lowers'
  | 'claim-says-nothing'
  | 'observed'
  | 'pinned';

export interface Reason {
  readonly code: ReasonCode;
  readonly source: ReasonSource;
  /** One sentence for people. It quotes the tool's own words, shortened. */
  readonly text: string;
}

/** What one part of a tool's text suggests: an act, a tier and the reason. Weighing is elsewhere. */
export interface Signal {
  readonly act: Act;
  readonly tier: Tier;
  /** From 0 to 1: how conclusive this is on its own. */
  readonly weight: number;
  readonly reason: Reason;
  /** The verb that it was read from, where there is one. */
  readonly verb?: string;
  /** It says how grave a call is, and not what it does: "Use with caution". */
  readonly warns?: true;
}

/** An effect that is less certain is not relied upon: in live mode a person is asked. */
export const ENOUGH_CONFIDENCE = 0.5;

/** A delivery reaches other people and cannot be recalled, so a foreign one counts as sharing data. */
export function usualTier(act: Act): Tier {
  return act === 'deliver' ? 'share_export' : ACTS[act].tier;
}

export function signal(
  act: Act,
  weight: number,
  reason: Reason,
  tier: Tier = usualTier(act),
): Signal {
  return { act, tier, weight, reason };
}

/** The graver of two signals; of two equally grave ones the first, unless it only warns of what the second tells. */
export function graverSignal(a: Signal, b: Signal): Signal {
  if (a.tier === b.tier) return a.warns === true && b.warns !== true ? b : a;
  return TIERS[b.tier].severity > TIERS[a.tier].severity ? b : a;
}
