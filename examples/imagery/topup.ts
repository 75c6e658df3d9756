/**
 * Buys credits with a card: stores the intention, has the card charged, and books the credits, each
 * step once per key. What to do after an unknown outcome is decided separately from doing it.
 */
import { CREDITS_PER_AUD } from './pricing.ts';
import type { ChargeOutcome, ProcessorClient } from '../payment-processor/processor-client.ts';
import type { Acting } from './store/acting.ts';
import type { Topup } from './store/topups.ts';
import type { Store } from './store.ts';

export type TopupOutcome =
  | { readonly kind: 'paid'; readonly topup: Topup }
  | { readonly kind: 'declined'; readonly reason: string }
  /** Nothing was charged; the same call can be sent again under the same key. */
  | { readonly kind: 'not-charged' }
  | { readonly kind: 'in-doubt'; readonly because: string };

type NextStep =
  | { readonly kind: 'settle'; readonly outcome: TopupEnd }
  | { readonly kind: 'ask-again' | 'look-up' };

type TopupEnd =
  | { readonly kind: 'paid'; readonly chargeId: string }
  | Exclude<TopupOutcome, { readonly kind: 'paid' }>;

/** The processor remembers the key forever, so a retry cannot charge twice. */
const MOST_ATTEMPTS = 2;
const CENTS_PER_AUD = 100;

export interface TopupRequest {
  readonly key: string;
  readonly credits: number;
  readonly card: string;
}

export async function topUp(
  store: Store,
  processor: ProcessorClient,
  acting: Acting,
  { key, credits, card }: TopupRequest,
): Promise<TopupOutcome> {
  const { kind, topup } = store.topups.begin(acting, key, credits, card);
  if (topup.status === 'paid') return { kind: 'paid', topup };
  if (topup.status === 'declined') {
    return { kind: 'declined', reason: topup.decline_reason ?? 'card_declined' };
  }
  const end = await charge(processor, topup, kind === 'again');
  if (end.kind === 'declined') store.topups.decline(acting, topup.id, end.reason);
  return end.kind === 'paid'
    ? { kind: 'paid', topup: store.topups.pay(acting, topup.id, end.chargeId) }
    : end;
}

/** Long enough for a call in flight to end on its own. */
const SETTLE_AFTER_MS = 30_000;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/**
 * Books charges whose callers never got the answer and will not retry. Never charges: what the
 * processor does not know stays as it is.
 */
export async function settlePending(
  store: Store,
  processor: ProcessorClient,
  at: Date,
): Promise<number> {
  const ago = (ms: number) => new Date(at.getTime() - ms);
  let settled = 0;
  for (const { id, organisation, user } of store.topups.pending(
    ago(GIVE_UP_AFTER_MS),
    ago(SETTLE_AFTER_MS),
  )) {
    const found = await processor.lookUp(id);
    if (found?.chargeId == null) continue;
    store.topups.pay({ organisation, user, at }, id, found.chargeId);
    settled += 1;
  }
  return settled;
}

/**
 * After some attempts: is the outcome known, and if not, how to find out? `wasInDoubt` when an earlier
 * call under the same key may have charged.
 */
export function decideNext(outcomes: readonly ChargeOutcome[], wasInDoubt: boolean): NextStep {
  const last = outcomes.at(-1);
  switch (last?.kind) {
    case 'charged':
      return { kind: 'settle', outcome: { kind: 'paid', chargeId: last.chargeId } };
    case 'refused':
      return { kind: 'settle', outcome: { kind: 'declined', reason: last.reason } };
    case undefined:
      return { kind: 'ask-again' };
    case 'not-sent':
    case 'in-doubt':
      break;
  }
  if (outcomes.length < MOST_ATTEMPTS) return { kind: 'ask-again' };
  // That the last attempt was not sent says nothing about those before it.
  const isInDoubt = wasInDoubt || outcomes.some(({ kind }) => kind === 'in-doubt');
  return isInDoubt ? { kind: 'look-up' } : { kind: 'settle', outcome: { kind: 'not-charged' } };
}

async function charge(
  processor: ProcessorClient,
  topup: Topup,
  wasInDoubt: boolean,
): Promise<TopupEnd> {
  // The top-up's own id is the key, so that no two organisations can ever share one.
  const request = {
    key: topup.id,
    card: topup.card,
    amountCents: (topup.credits * CENTS_PER_AUD) / CREDITS_PER_AUD,
  };
  const outcomes: ChargeOutcome[] = [];
  for (;;) {
    outcomes.push(await processor.charge(request));
    const next = decideNext(outcomes, wasInDoubt);
    if (next.kind === 'settle') return next.outcome;
    if (next.kind === 'look-up') return lookUp(processor, topup.id, outcomes);
  }
}

async function lookUp(
  processor: ProcessorClient,
  key: string,
  outcomes: readonly ChargeOutcome[],
): Promise<TopupEnd> {
  const found = await processor.lookUp(key);
  const doubt = outcomes.findLast((outcome) => outcome.kind === 'in-doubt');
  const because = doubt?.because ?? 'an earlier call got no answer';
  if (found?.chargeId != null) return { kind: 'paid', chargeId: found.chargeId };
  // A request without an answer can still be in flight, so no charge yet proves nothing.
  return { kind: 'in-doubt', because };
}
