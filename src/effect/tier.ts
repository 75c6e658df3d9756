/**
 * The closed set of side-effect tiers and what each one declares about itself.
 * Code outside this folder reads these properties and never compares tier names.
 */

export type Tier = 'read' | 'compute' | 'external_spend' | 'share_export' | 'destructive';

/** This call; this tool with these arguments for a while; this tool in the session; this tool from now on. */
export type YesScope = 'call' | 'arguments' | 'session' | 'lasting';

/** How a call of this tier may be retried when it may already have taken effect. */
export type RetryRule = 'freely' | 'same-key' | 'never';

export interface TierTraits {
  /** What a call of it does, in the one word that people read on pages. */
  readonly word: string;
  /** What belongs here, in one sentence for people. */
  readonly meaning: string;
  /** A person approves each call. */
  readonly asks: boolean;
  readonly retries: RetryRule;
  /** Results may be cached. */
  readonly caches: boolean;
  /** Calls draw on a budget instead of a prompt. */
  readonly budgets: boolean;
  /** The call changes nothing that a user can see. */
  readonly readsOnly: boolean;
  /** This tier may return one-time secrets. */
  readonly issuesSecrets: boolean;
  /** A repeat must be covered by a key, a version or an unchanged end state. */
  readonly needsRepeatContract: boolean;
  /** What a person is offered to say yes to at once, narrowest first, where the policy does not say. */
  readonly offers: readonly YesScope[];
  /** Whether the policy may offer a yes that lasts. */
  readonly mayLast: boolean;
  /** Orders tiers from harmless to grave, to find the worst of several effects. */
  readonly severity: number;
}

const base = {
  asks: false,
  retries: 'never',
  caches: false,
  budgets: false,
  readsOnly: false,
  issuesSecrets: false,
  needsRepeatContract: false,
  offers: Object.freeze(['call', 'arguments', 'session'] as const),
  mayLast: true,
} as const;

const FROM_NOW_ON = Object.freeze(['call', 'arguments', 'session', 'lasting'] as const);

export const TIERS: Readonly<Record<Tier, TierTraits>> = Object.freeze({
  read: {
    ...base,
    word: 'reads',
    meaning: 'Returns data and changes nothing.',
    retries: 'freely',
    caches: true,
    readsOnly: true,
    offers: FROM_NOW_ON,
    severity: 0,
  },
  compute: {
    ...base,
    word: 'changes',
    meaning: 'Runs work or changes ordinary state; no money moves and nothing is lost.',
    budgets: true,
    offers: FROM_NOW_ON,
    severity: 1,
  },
  share_export: {
    ...base,
    word: 'shares',
    meaning:
      'Shares data outside: a link, an export or a credential, often with a one-time secret.',
    asks: true,
    issuesSecrets: true,
    severity: 2,
  },
  external_spend: {
    ...base,
    word: 'spends',
    meaning: 'Moves money or credits.',
    asks: true,
    retries: 'same-key',
    needsRepeatContract: true,
    offers: Object.freeze(['call'] as const),
    mayLast: false,
    severity: 3,
  },
  destructive: {
    ...base,
    word: 'destroys',
    meaning: 'Removes, overwrites or tears down durable state, or runs code that can.',
    asks: true,
    severity: 4,
  },
});

export const TIER_NAMES: readonly Tier[] = Object.freeze(
  Object.keys(TIERS) as Tier[], // the record's keys are exactly the union
);

export function isTier(value: unknown): value is Tier {
  return typeof value === 'string' && Object.hasOwn(TIERS, value);
}

/** By its name, or by its word. */
export function findTier(text: string): Tier | undefined {
  return TIER_NAMES.find((tier) => tier === text || TIERS[tier].word === text);
}

/** The graver of two tiers. */
export function graverTier(a: Tier, b: Tier): Tier {
  return TIERS[a].severity >= TIERS[b].severity ? a : b;
}
