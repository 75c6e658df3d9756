/** What one look at a tool's text suggests: an act, a tier and the reason. Weighing is elsewhere. */
import type { Act } from '../act.ts';
import { ACTS } from '../act.ts';
import type { Tier } from '../tier.ts';
import { TIERS } from '../tier.ts';
import type { Reason } from './reason.ts';

export interface Signal {
  readonly act: Act;
  readonly tier: Tier;
  /** From 0 to 1: how much this alone tells. */
  readonly weight: number;
  readonly reason: Reason;
}

/** A delivery reaches other people and cannot be called back, so a foreign one lets data out. */
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

/** The graver of two signals; of two equally grave ones the first. */
export function graverSignal(a: Signal, b: Signal): Signal {
  return TIERS[b.tier].severity > TIERS[a.tier].severity ? b : a;
}
