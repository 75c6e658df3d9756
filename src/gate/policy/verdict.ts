/** A verdict: what is to become of a call, by which rule. Plain data that can be recorded and replayed. */
import type { Act } from '../../effect/act.ts';
import type { Effect, Mode } from '../../effect/effect.ts';
import { staysInside } from '../../effect/effect.ts';
import type { Reason } from '../../effect/infer/reason.ts';
import type { Principal } from '../../effect/operation.ts';
import type { Tier, YesScope } from '../../effect/tier.ts';
import { TIERS } from '../../effect/tier.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { ProblemCode } from '../../lib/problem-kind.ts';

export type Verdict = Allow | Ask | Deny;

export interface Allow {
  readonly kind: 'allow';
  /** The name of the rule that decided. */
  readonly rule: string;
  readonly terms: Terms;
}

export interface Ask {
  readonly kind: 'ask';
  readonly rule: string;
  /** What the call does, as far as that is known: a sentence for the person who is asked. */
  readonly does: string;
  /** Why they are asked, as a sentence. */
  readonly why: string;
  readonly asking: Asking;
  readonly terms: Terms;
}

export interface Deny {
  readonly kind: 'deny';
  readonly rule: string;
  readonly code: ProblemCode;
  /** Says what was refused, never how to get round it. */
  readonly detail: string;
}

/** How a person is asked. */
export interface Asking {
  readonly channels: readonly AskChannel[];
  /** What a yes may cover, narrowest first; always holds `call`. */
  readonly grants: readonly GrantScope[];
  readonly expirySeconds: number;
  /** How long the call is held open for the answer before it is told to come back. */
  readonly holdSeconds: number;
  /** The longest that a grant may hold. */
  readonly grantMinutes: number;
  /** Whether what a call would replace is read first, by another tool of its server, to show the difference. */
  readonly readBefore: boolean;
}

/** `elicitation` is only for hosts that the policy trusts to put the question before a person. */
export type AskChannel = 'elicitation' | 'console' | 'terminal' | 'webhook';

/** What one yes may cover. */
export type GrantScope = YesScope;

/** How a policy asks: what a yes may cover can be left to the tier of the call. */
export interface AskingTerms extends Omit<Asking, 'grants'> {
  readonly grants: readonly GrantScope[] | 'by-tier';
}

/** Under which terms the call runs, once it may. */
export interface Terms {
  readonly budgets: readonly Budget[];
  /** Zero unless the policy opted in. */
  readonly cacheSeconds: number;
}

export interface Budget {
  readonly name: string;
  readonly counts: 'calls' | 'compute-seconds' | 'money';
  readonly limit: number;
  /** Of money: what is counted. Absent: any amount counts as it is, whatever its unit. */
  readonly unit?: string;
  readonly per: 'minute' | 'hour' | 'day' | 'month';
  /** One pot for each principal, or one for all. */
  readonly shared: boolean;
}

/** One rule of a policy, and which calls it speaks of. Plain data, as it was written, with lists made whole. */
export interface Rule {
  readonly name: string;
  /** Absent: every call. */
  readonly match?: Match;
  /** CEL; must hold besides `match`. */
  readonly when?: string;
  readonly then: 'allow' | 'ask' | 'deny';
  /** Shown as it is to whoever is asked or refused. */
  readonly because?: string;
  /** How this rule asks, where it differs from the policy. */
  readonly ask?: Partial<AskingTerms>;
  /** Lets the same spend run again at once without a question. */
  readonly repeats?: 'allow';
}

/** What is given must hold, all of it; of a list, one is enough. `*` stands for any run of characters. */
export interface Match {
  readonly server?: readonly string[];
  readonly tool?: readonly string[];
  readonly tier?: readonly Tier[];
  readonly act?: readonly Act[];
  readonly mode?: Mode;
  /** Of the principal's id. */
  readonly principal?: readonly string[];
}

/** What a verdict is made from: one call, its caller and what its tool was read to do. All of it data. */
export interface CallFacts {
  readonly server: string;
  readonly trusted: boolean;
  readonly tool: string;
  /** Of these arguments, not of the worst case. */
  readonly effect: Effect;
  /** How sure the effect is, from 0 to 1, and why it was read so. */
  readonly confidence: number;
  readonly reasons: readonly Reason[];
  readonly principal: Principal;
  readonly mode: Mode;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  /** The definition got riskier than the one a person accepted. */
  readonly quarantined: boolean;
  /** Its server, a pin or the operator's trust says what the tool does; otherwise only its words do. */
  readonly declared: boolean;
  /** An equal call that costs was made a short while ago. */
  readonly repeated: boolean;
  /** It would cost, a budget counts money, and nobody can tell how much. */
  readonly unpriced?: boolean;
}

/** Narrowest first. */
export const GRANT_SCOPES: readonly GrantScope[] = Object.freeze([
  'call',
  'arguments',
  'session',
  'lasting',
]);

export const LONGEST_EXPIRY_SECONDS = 900;

export const DEFAULT_ASKING: AskingTerms = Object.freeze({
  channels: Object.freeze(['console', 'terminal'] as const),
  grants: 'by-tier',
  expirySeconds: LONGEST_EXPIRY_SECONDS,
  holdSeconds: 45,
  grantMinutes: 10,
  readBefore: false,
});

export function toAsking(base: AskingTerms, wishes: Partial<AskingTerms> = {}): AskingTerms {
  const asking = { ...base, ...wishes };
  return Object.freeze({
    channels: Object.freeze([...new Set(asking.channels)]),
    grants:
      asking.grants === 'by-tier'
        ? 'by-tier'
        : Object.freeze(
            GRANT_SCOPES.filter((scope) => scope === 'call' || asking.grants.includes(scope)),
          ),
    expirySeconds: Math.min(asking.expirySeconds, LONGEST_EXPIRY_SECONDS),
    holdSeconds: Math.min(asking.holdSeconds, asking.expirySeconds),
    grantMinutes: asking.grantMinutes,
    readBefore: asking.readBefore,
  });
}

/** What a yes to a call with this effect may cover. */
export function toOffered(asking: AskingTerms, { tier, act, reach }: Effect): Asking {
  const { offers, mayLast } = TIERS[tier];
  // What goes out to others is worth a look each time, unless the policy says otherwise.
  const goesOut = act === 'deliver' || !staysInside(reach);
  const grants =
    asking.grants === 'by-tier'
      ? offers.filter((scope) => scope !== 'lasting' || !goesOut)
      : asking.grants.filter((scope) => scope !== 'lasting' || mayLast);
  return { ...asking, grants };
}
