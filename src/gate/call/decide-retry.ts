/**
 * Whether a call that got no answer is sent again, by what its effect permits and what is known of
 * the failure. Pure: the random number comes from outside. How many retries a server can bear is
 * the business of the retry budget and the breaker.
 */
import type { Effect } from '../../effect/effect.ts';
import { someTier } from '../../effect/effect.ts';
import { settlesByNature } from '../../effect/repeat.ts';
import type { EffectClass } from '../../effect/partner.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Failure } from '../protocol/channel.ts';

interface RetryPolicy {
  /** Sendings in all, the first one included. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

/** What is known of the call before it is sent, and stays the same for every sending. */
export interface RetryTerms {
  /** Of these arguments. */
  readonly effect: Effect;
  /** What the server does with our key, where whoever runs the gate has said so. */
  readonly effectClass: EffectClass | undefined;
  /** Every sending carries the same key. */
  readonly hasKey: boolean;
  /** The effect was declared by a trusted server or pinned by a person, not guessed. */
  readonly trusted: boolean;
  /** As claimed. `false` says that it cannot be repeated; `true` says that it can only with `byHint`. */
  readonly idempotentHint?: boolean | undefined;
  /** The policy leaves it to this server's hints what may be repeated, whatever the tier. */
  readonly byHint?: boolean;
}

export interface RetryFacts extends RetryTerms {
  readonly failure: Failure | HttpAnswer;
  /** How many sendings there were. */
  readonly attempt: number;
  /** An earlier sending was lost. */
  readonly inDoubt?: boolean;
  readonly policy: RetryPolicy;
  /** From 0 up to 1. */
  readonly random: number;
}

/** An HTTP answer without a message of the protocol in it. */
interface HttpAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly retryAfterSeconds?: number;
}

export type RetryDecision =
  | { readonly kind: 'retry'; readonly afterMs: number; readonly sameKey: boolean }
  | {
      readonly kind: 'stop';
      readonly end: End;
      readonly why: 'last-attempt' | 'not-repeatable' | 'final';
    };

export const RETRY_POLICY: RetryPolicy = Object.freeze({
  attempts: 3,
  baseMs: 100,
  capMs: 20_000,
});

const TOO_MANY_REQUESTS = 429;
const FIRST_SERVER_ERROR = 500;

export function decideRetry(facts: RetryFacts): RetryDecision {
  const { effect, hasKey, attempt, policy, inDoubt = false } = facts;
  const failure = classOf(facts.failure);
  const stop = (why: 'last-attempt' | 'not-repeatable' | 'final'): RetryDecision =>
    Object.freeze({
      kind: 'stop',
      end: toEnd(effect, failure === 'final' ? 'refused' : failure, inDoubt),
      why,
    });
  if (failure === 'final') return stop('final');
  if (failure !== 'not-sent' && !mayRepeat(facts)) return stop('not-repeatable');
  if (attempt >= policy.attempts) return stop('last-attempt');
  return Object.freeze({ kind: 'retry', afterMs: waitOf(facts), sameKey: hasKey });
}

function classOf(failure: RetryFacts['failure']): Failure['kind'] | 'final' {
  if (failure.kind !== 'answered') return failure.kind;
  if (failure.status === TOO_MANY_REQUESTS) return 'refused';
  return failure.status >= FIRST_SERVER_ERROR ? 'lost' : 'final';
}

/** Whether a second arrival would do no harm. */
function mayRepeat(terms: RetryTerms): boolean {
  const { effect, effectClass, hasKey, trusted, idempotentHint, byHint = false } = terms;
  const { asks, retries } = TIERS[effect.tier];
  if (retries === 'freely') return true;
  if (byHint && trusted && idempotentHint === true) {
    // What is repeatable only under a key is not so without one, whatever the hint says.
    return settlesByNature(effect.repeat) || (effect.repeat.kind === 'key' && hasKey);
  }
  if (hasKey && effectClass === 'dedup') {
    return !someTier(effect, (traits) => traits.asks && traits.retries !== 'same-key');
  }
  return !asks && trusted && settlesByNature(effect.repeat) && idempotentHint !== false;
}

/** Full jitter, and never sooner than the server asked for, as far as that is reasonable. */
function waitOf({ failure, attempt, policy, random }: RetryFacts): number {
  const { baseMs, capMs } = policy;
  const jittered = Math.min(capMs, baseMs * 2 ** (attempt - 1)) * random;
  const hint = failure.retryAfterSeconds ?? 0;
  const asked = hint > 0 ? Math.min(hint * 1000, capMs) : 0;
  return Math.round(Math.max(jittered, asked));
}

/**
 * - `not-sent`: nothing happened, and nothing reached the server.
 * - `failed`: the server refused it, or it could change nothing anyway.
 * - `unknown`: it may have happened.
 */
export type End = 'not-sent' | 'failed' | 'unknown';

export function toEnd(effect: Effect, failure: Failure['kind'], inDoubt: boolean): End {
  if (failure === 'not-sent' && !inDoubt) return 'not-sent';
  if (TIERS[effect.tier].readsOnly) return 'failed';
  return inDoubt || failure === 'lost' ? 'unknown' : 'failed';
}
