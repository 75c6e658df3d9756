/**
 * The rules that hold where a policy says nothing, in order. They read what a tier declares of
 * itself; the last one holds for every call.
 */
import { staysInside } from '../../effect/effect.ts';
import { ENOUGH_CONFIDENCE } from '../../effect/infer/reason.ts';
import { TIERS } from '../../effect/tier.ts';
import { TIER_WORDS } from '../../effect/tier-words.ts';
import { describeCall } from './describe-call.ts';
import type { Policy } from './policy.ts';
import type { CallFacts } from './verdict.ts';

interface DefaultRule {
  readonly name: string;
  readonly says: 'allow' | 'ask';
  /** Why it asks, as the end of a sentence. */
  readonly ground: (facts: CallFacts) => string;
  readonly holds: (facts: CallFacts, policy: Policy) => boolean;
}

/** Before all rules of the file: nothing overrules it. */
export const QUARANTINED = 'quarantined';

/** Before the allow rules of the file, unless the one that matches lets repeats run. */
export const DUPLICATE_INTENT = 'duplicate-intent';

/** Likewise, where a budget cannot count what a call costs. */
export const PRICE_UNKNOWN = 'price-unknown';

/** Methods that are not of the protocol; they have no effect that a rule could speak of. */
export const UNKNOWN_METHOD = 'unknown-method';

/** Asks until a person has said a yes that lasts. */
export const FIRST_USE = 'live-first-use';

/** Written so that anything but a plain `sandbox` counts as live. */
function isLive({ mode }: CallFacts): boolean {
  return mode !== 'sandbox';
}

function meaning(facts: CallFacts): string {
  const { call, possibleCall } = TIER_WORDS[facts.effect.tier];
  return `every ${describeCall(facts).isCertain ? call : possibleCall} needs approval`;
}

export const DEFAULT_RULES: readonly DefaultRule[] = Object.freeze([
  {
    name: 'tier-asks',
    says: 'ask',
    ground: meaning,
    holds: ({ effect }) => TIERS[effect.tier].asks,
  },
  {
    name: 'live-unsure',
    says: 'ask',
    ground: () => 'it is not certain what the tool does, and this is live',
    holds: (facts) => isLive(facts) && !(facts.confidence >= ENOUGH_CONFIDENCE),
  },
  {
    name: 'looking-runs',
    says: 'allow',
    ground: meaning,
    holds: ({ effect }) => TIERS[effect.tier].readsOnly,
  },
  {
    name: 'live-overwrites',
    says: 'ask',
    ground: () => 'what it replaces cannot be brought back, and this is live',
    holds: (facts) => isLive(facts) && facts.effect.overwrites && !facts.effect.reversible,
  },
  {
    name: 'live-leaves',
    says: 'ask',
    ground: () => 'it goes out to others, and this is live',
    holds: (facts) =>
      isLive(facts) && (facts.effect.act === 'deliver' || !staysInside(facts.effect.reach)),
  },
  {
    name: FIRST_USE,
    says: 'ask',
    ground: () => 'its server does not say what it does, and this is its first use',
    holds: (facts, { firstUse }) => isLive(facts) && !facts.declared && firstUse !== 'allow',
  },
  {
    name: 'within-budgets',
    says: 'allow',
    ground: meaning,
    holds: ({ effect }) => TIERS[effect.tier].budgets,
  },
  {
    name: 'anything-else',
    says: 'ask',
    ground: () => 'no rule allows it',
    holds: () => true,
  },
]);

/** Not free for rules of a file, so that a record names one rule only. */
export const DEFAULT_RULE_NAMES: readonly string[] = Object.freeze([
  QUARANTINED,
  DUPLICATE_INTENT,
  PRICE_UNKNOWN,
  UNKNOWN_METHOD,
  ...DEFAULT_RULES.map(({ name }) => name),
]);
