/**
 * Weighs claims, evidence and a pin against what the text says. A claim can always raise the risk; it
 * lowers it only from a trusted server or when evidence backs it. Absent is not false.
 */
import type { Act } from '../act.ts';
import type { Convention } from '../convention.ts';
import type { Effect } from '../effect.ts';
import { worstTier } from '../effect.ts';
import type { Hints } from '../hints.ts';
import type { StampReading } from '../read-stamp.ts';
import type { Tier } from '../tier.ts';
import { TIERS } from '../tier.ts';
import { TIER_WORDS } from '../tier-words.ts';
import type { Reason, ReasonSource } from './reason.ts';

/** What calls were observed to do. */
export interface Evidence {
  /** The gravest effect observed. */
  readonly tier: Tier;
  /** How many calls were observed. */
  readonly calls: number;
}

/** What a person decided about this tool. */
export interface Pin {
  readonly tier: Tier;
  readonly act?: Act;
}

export interface Trust {
  readonly trusted?: boolean;
  readonly evidence?: Evidence;
  readonly pin?: Pin;
  /**
   * The switch of which somebody who may lower the risk says that the tool honours it: with `true` a call only shows
   * what it would do.
   */
  readonly dryRun?: string;
  /** By which the operator says that the server's hints are to be read. */
  readonly convention?: Convention;
  /** From a source that nobody vouches for: it can raise the risk, and never lower it. */
  readonly found?: Pick<Trust, 'evidence' | 'pin'>;
}

interface Verdict {
  readonly tier: Tier;
  readonly confidence: number;
  readonly reasons: readonly Reason[];
}

/** A claim that the effect is no graver, or no milder, than a tier. */
interface TierClaim {
  readonly kind: 'at-most' | 'at-least' | 'no-claim';
  readonly tier: Tier;
  readonly source: ReasonSource;
  readonly text: string;
}

/** Fewer calls than this do not back a claim that lowers the risk. */
const ENOUGH_CALLS = 5;

/** What the server says of the tool besides its stamp. */
interface Said {
  /** The whole effect that it states in `_meta`, if it states one. */
  readonly declared?: Effect | undefined;
  /** It calls so much destructive that this says nothing. */
  readonly warnsByHabit?: () => boolean;
}

export function weighTrust(
  text: Verdict,
  stamp: StampReading,
  trust: Trust,
  said: Said = {},
): Verdict {
  const verdict = weighVouched(text, stamp, trust, said);
  const { pin, evidence } = trust.found ?? {};
  return [pin?.tier, evidence?.tier].reduce(raise, verdict);
}

function raise(verdict: Verdict, tier: Tier | undefined): Verdict {
  if (tier === undefined || !isGraver(tier, verdict.tier)) return verdict;
  const text = `a lock that was found pins it as ${TIER_WORDS[tier].as}`;
  const reason: Reason = { code: 'pinned', source: 'pin', text };
  return { ...verdict, tier, reasons: [reason, ...verdict.reasons] };
}

function weighVouched(text: Verdict, stamp: StampReading, trust: Trust, said: Said): Verdict {
  const { pin, evidence } = trust;
  const { declared } = said;
  if (pin !== undefined) {
    const words = `the tool is pinned as ${TIER_WORDS[pin.tier].as}`;
    const reason: Reason = { code: 'pinned', source: 'pin', text: words };
    return { tier: pin.tier, confidence: 1, reasons: [reason, ...text.reasons] };
  }
  let verdict = text;
  if (declared !== undefined && trust.trusted === true) verdict = believe(declared, text);
  else
    for (const claim of claimsOf(stamp, text.tier, said, trust.convention))
      verdict = weighClaim(verdict, claim, trust);
  if (evidence !== undefined && isGraver(evidence.tier, verdict.tier)) {
    const seen = `calls of it were seen to be ${TIER_WORDS[evidence.tier].as}`;
    const reason: Reason = { code: 'observed', source: 'evidence', text: seen };
    return { tier: evidence.tier, confidence: 0.95, reasons: [reason, ...verdict.reasons] };
  }
  return verdict;
}

/** A trusted server's own declaration is the effect. */
function believe(declared: Effect, text: Verdict): Verdict {
  const reason: Reason = { code: 'declared', source: 'meta', text: 'a trusted server declares it' };
  return { tier: worstTier(declared), confidence: 0.95, reasons: [reason, ...text.reasons] };
}

function weighClaim(verdict: Verdict, claim: TierClaim, trust: Trust): Verdict {
  const { kind, tier, source, text } = claim;
  const { reasons, confidence } = verdict;
  if (kind === 'no-claim') {
    const reason: Reason = { code: 'claim-says-nothing', source, text };
    return { ...verdict, reasons: [...reasons, reason] };
  }
  if (kind === 'at-least') {
    if (!isGraver(tier, verdict.tier)) return verdict;
    const reason: Reason = { code: 'claim-raises', source, text };
    return { tier, confidence: 0.8, reasons: [reason, ...reasons] };
  }
  if (!isGraver(verdict.tier, tier)) return verdict;
  const backed = trust.trusted === true || isBackedBy(trust.evidence, tier);
  const reason: Reason = { code: backed ? 'claim-lowers' : 'claim-not-believed', source, text };
  if (backed) return { tier, confidence: 0.85, reasons: [reason, ...reasons] };
  return { ...verdict, confidence: Math.max(0.1, confidence - 0.1), reasons: [...reasons, reason] };
}

function isBackedBy(evidence: Evidence | undefined, tier: Tier): boolean {
  return evidence !== undefined && evidence.calls >= ENOUGH_CALLS && !isGraver(evidence.tier, tier);
}

/** What the stamp claims, the promises first; unset hints claim nothing. */
function claimsOf(
  { hints, tier }: StampReading,
  read: Tier,
  { declared, warnsByHabit = () => false }: Said,
  convention: Convention | undefined,
): readonly TierClaim[] {
  const claims: TierClaim[] = [];
  const { readOnlyHint, destructiveHint } = hints;
  const hint = (kind: TierClaim['kind'], claimed: Tier, text: string): void => {
    claims.push({ kind, tier: claimed, source: 'annotations', text });
  };
  if (readOnlyHint.state === 'claimed' && readOnlyHint.value)
    hint('at-most', 'read', 'it claims readOnlyHint true');
  // The hint is about destruction only: a payment with destructiveHint false is still a payment.
  if (destructiveHint.state === 'claimed' && !destructiveHint.value && read === 'destructive')
    hint('at-most', 'compute', 'it claims destructiveHint false');
  if (tier.state === 'claimed') {
    const text = `its _meta claims ${tier.value}`;
    claims.push({ kind: 'at-most', tier: tier.value, source: 'meta', text });
    claims.push({ kind: 'at-least', tier: tier.value, source: 'meta', text });
  }
  if (declared !== undefined) {
    const text = `its _meta declares an effect of ${worstTier(declared)}`;
    claims.push({ kind: 'at-least', tier: worstTier(declared), source: 'meta', text });
  }
  const told = tier.state === 'absent' ? convention?.tierOf?.(claimedHints(hints)) : undefined;
  if (told !== undefined) {
    const text = `by the ${convention?.name} convention its hints mean ${told}`;
    hint('at-most', told, text);
    hint('at-least', told, text);
  }
  if (readOnlyHint.state === 'claimed' && !readOnlyHint.value)
    hint('at-least', 'compute', 'it claims readOnlyHint false');
  // What asks already, asks for a reason of its own, which people are better told.
  if (destructiveHint.state === 'claimed' && destructiveHint.value && !TIERS[read].asks) {
    const text = 'it claims destructiveHint true';
    if (warnsByHabit()) hint('no-claim', 'destructive', `${text}, which says nothing here`);
    else hint('at-least', 'destructive', text);
  }
  if (destructiveHint.state === 'contradictory' && destructiveHint.said === true)
    hint('at-least', 'destructive', 'it claims to be read-only and destructive at once');
  return claims;
}

function claimedHints(hints: StampReading['hints']): Hints {
  const claimed = Object.entries(hints).flatMap(([name, claim]) =>
    claim.state === 'claimed' ? [[name, claim.value] as const] : [],
  );
  return Object.fromEntries(claimed);
}

function isGraver(a: Tier, b: Tier): boolean {
  return TIERS[a].severity > TIERS[b].severity;
}
