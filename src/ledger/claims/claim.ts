/** The words of claims: what states there are, what classes of effect, and how long things last. */
import type { EffectClass } from '../../effect/downstream.ts';
import type { ClaimRow } from '../tables.ts';

export type { EffectClass };

/**
 * - `CLAIMED`: somebody holds the lease; nothing has been attempted.
 * - `DISPATCHED`: the intent is durable; the effect may have happened.
 * - `SUCCEEDED`, `FAILED_FINAL`: settled for good, with the answer.
 * - `UNKNOWN`: it may have happened, and nothing runs it again by itself.
 * - `TOMBSTONE`: settled long ago; the answer is gone, the key stays used.
 */
export type ClaimState =
  | 'CLAIMED'
  | 'DISPATCHED'
  | 'SUCCEEDED'
  | 'FAILED_FINAL'
  | 'UNKNOWN'
  | 'TOMBSTONE';

export interface Claim extends Omit<ClaimRow, 'state' | 'effect_class'> {
  readonly state: ClaimState;
  readonly effect_class: EffectClass;
}

export interface ClaimRules {
  readonly leaseMs: number;
  /** How long an answer is kept for replay. */
  readonly replayMs: number;
  /** How long a `dedup` partner surely remembers our key; past it nothing is sent again. */
  readonly downstreamMs: number;
  /** After this long, a partner that has not done it will not do it any more. */
  readonly settleMs: number;
}

const HOUR = 3_600_000;

export const CLAIM_RULES: ClaimRules = Object.freeze({
  leaseMs: 30_000,
  replayMs: 30 * 24 * HOUR,
  downstreamMs: 23 * HOUR,
  settleMs: 15 * 60_000,
});

/** What whoever holds a claim must know to go on with it. */
export interface HeldClaim {
  readonly id: string;
  readonly fence: number;
  readonly owner: string;
  readonly effectClass: EffectClass;
  readonly downstreamKey: string;
  /** An earlier attempt may have reached the partner already. */
  readonly isResend: boolean;
}

/** The class and state columns are checked by the table itself. */
export function toClaim(row: ClaimRow): Claim {
  return row as ClaimRow & Claim;
}

export function toHeld(claim: Claim, isResend: boolean): HeldClaim {
  return Object.freeze({
    id: claim.id,
    fence: claim.fence,
    owner: claim.owner,
    effectClass: claim.effect_class,
    downstreamKey: claim.downstream_key,
    isResend,
  });
}
