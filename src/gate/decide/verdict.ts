/** A verdict: what is to become of a call, by which rule. Plain data that can be recorded and replayed. */
import type { ProblemCode } from '../../lib/problem-catalog.ts';

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
  /** One sentence for the person who is asked. */
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
}

/** `elicitation` is only for hosts that the policy trusts to put the question before a person. */
export type AskChannel = 'elicitation' | 'console' | 'terminal' | 'webhook';

/** This call; this tool with these arguments for a while; this tool for the session. */
export type GrantScope = 'call' | 'arguments' | 'session';

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
  readonly per: 'minute' | 'hour' | 'day' | 'month';
  /** One pot for each principal, or one for all. */
  readonly shared: boolean;
}
