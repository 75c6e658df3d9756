/**
 * Sends a call, and sends it again as long as its effect, the retry budget and the breaker all
 * permit. The only layer that retries. What it cannot find out it says: `end` is `unknown` then.
 */
import type { Failure, Delivery } from '../protocol/channel.ts';
import type { Breaker, Health, RetryBudget } from './breaker.ts';
import type { RetryPolicy, RetryTerms, End } from './decide-retry.ts';
import { decideRetry, toEnd } from './decide-retry.ts';

export interface RunContext extends RetryTerms {
  readonly policy: RetryPolicy;
  /** Both belong to the server. */
  readonly budget: RetryBudget;
  readonly breaker: Breaker;
  /** May end early, in either way, once the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
}

export interface Run {
  readonly delivery: Delivery;
  /** How often it was sent; zero when the breaker or the caller stopped it before. */
  readonly attempts: number;
  readonly end: 'answered' | End;
}

/** `attempt` counts from one. */
type Send = (attempt: number) => Promise<Delivery>;

export async function runWithRetries(send: Send, context: RunContext): Promise<Run> {
  const { policy, budget, breaker, signal } = context;
  let inDoubt = false;
  let last: Failure | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const sent = attempt - 1;
    if (signal.aborted) {
      return giveUp(context, last ?? notSent('The caller no longer waits.'), sent, inDoubt);
    }
    const admission = breaker.admit();
    if (admission.kind === 'open') {
      const resting = notSent('The server has not been answering.', admission.retryAfterSeconds);
      return giveUp(context, last ?? resting, sent, inDoubt);
    }
    const delivery = await sendOnce(send, attempt, admission.report);
    if (delivery.kind === 'answer') {
      budget.succeed();
      return { delivery, attempts: attempt, end: 'answered' };
    }
    const { failure } = delivery;
    const random = context.random();
    const decision = decideRetry({ ...context, failure, attempt, policy, inDoubt, random });
    if (decision.kind === 'stop') return { delivery, attempts: attempt, end: decision.end };
    inDoubt ||= failure.kind === 'lost';
    last = failure;
    if (!budget.take(failure.kind)) return giveUp(context, failure, attempt, inDoubt);
    await rest(decision.afterMs, context);
  }
}

function giveUp({ effect }: RunContext, failure: Failure, attempts: number, inDoubt: boolean): Run {
  const end = toEnd(effect, failure.kind, inDoubt);
  return { delivery: { kind: 'failure', failure }, attempts, end };
}

async function sendOnce(
  send: Send,
  attempt: number,
  report: (health: Health) => void,
): Promise<Delivery> {
  let health: Health = 'untold';
  try {
    const delivery = await send(attempt);
    // Whoever refuses is there.
    const isUp = delivery.kind === 'answer' || delivery.failure.kind === 'refused';
    health = isUp ? 'up' : 'down';
    return delivery;
  } finally {
    report(health);
  }
}

async function rest(ms: number, { sleep, signal }: RunContext): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function notSent(detail: string, retryAfterSeconds?: number): Failure {
  return {
    kind: 'not-sent',
    detail,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
