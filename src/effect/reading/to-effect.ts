/** Makes the effect of an act and a tier that were read off a foreign tool. */
import type { Act } from '../act.ts';
import { ACTS } from '../act.ts';
import type { Facts } from '../acts.ts';
import { BUILDERS } from '../builders.ts';
import type { Effect } from '../effect.ts';
import type { Tier } from '../tier.ts';
import { TIERS } from '../tier.ts';

type ReadFacts = Pick<Facts, 'tier' | 'tierReason' | 'reversible'>;

/** What was found out about the tool apart from act and tier. */
export interface Circumstances {
  readonly reach: NonNullable<Facts['reach']>;
  /** For the act that counts in the end; nothing when the act's own is right. */
  readonly repeatOf: (act: Act) => Facts['repeat'];
  /** The server's own tool that tells the price. */
  readonly estimate?: string | undefined;
}

/** The act that stands for a tier when the text gave one that cannot have it. */
const ACT_OF_TIER: Readonly<Record<Tier, Act>> = {
  read: 'read',
  compute: 'update',
  share_export: 'share',
  external_spend: 'spend',
  destructive: 'delete',
};

export function toEffect(act: Act, tier: Tier, why: string, found: Circumstances): Effect {
  const own = ACTS[act].tier;
  const mixes = TIERS[own].looksOnly !== TIERS[tier].looksOnly;
  const fitting = mixes || TIERS[own].asks ? (own === tier ? act : ACT_OF_TIER[tier]) : act;
  const differs = ACTS[fitting].tier !== tier;
  const unsafe = TIERS[tier].asks ? { reversible: false } : {};
  const facts: ReadFacts = { ...(differs && { tier, tierReason: why }), ...unsafe };
  const repeat = found.repeatOf(fitting);
  return BUILDERS[fitting](TIERS[tier].issuesSecrets ? 'data' : 'unknown', {
    ...facts,
    reach: found.reach,
    ...(repeat !== undefined && { repeat }),
    ...(fitting === 'spend' && found.estimate !== undefined && { estimate: found.estimate }),
  });
}
