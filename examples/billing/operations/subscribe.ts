/** What the operations on subscriptions share: beginning one, finding one, showing one, and how one is cancelled. */
import * as z from 'zod';
import { openCycle } from '../cycles.ts';
import type { BillingCycle, Subscription } from '../documents.ts';
import { periodEnd } from '../period.ts';
import { pay } from '../purchase.ts';
import { found, invalid } from '../refusals.ts';
import type { Store } from '../store.ts';
import type { Caller, Shop } from './declare.ts';
import { given } from './reply.ts';

const REASONS = ['too expensive', 'not used', 'switched', 'quality', 'other'];
interface NewSubscription {
  readonly plan_id: string;
  readonly billing_cycle: BillingCycle;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly billing_cycles?: number | undefined;
  readonly shipping_address_id?: string | undefined;
  readonly shipping_address?: unknown;
  readonly shipping_option_id?: string | undefined;
  readonly coupon_code?: string | undefined;
  readonly for_new_customer?: true;
}

/** Writes the subscription and the order of its first cycle; joins the transaction that it is called in. */
export function subscribe(
  store: Store,
  { account: owner, at }: Caller,
  customerId: string,
  methodId: string,
  { plan_id, billing_cycle, start_date, coupon_code, for_new_customer, ...wanted }: NewSubscription,
): string {
  const plan = found(store.objects.find(owner, 'plan', plan_id), 'plan', plan_id);
  if (!plan.active) invalid('plan_id', 'The plan is no longer sold.', 'invalid_value');
  if (wanted.end_date !== undefined && (wanted.billing_cycles ?? 0) > 0) {
    invalid('end_date', 'Send end_date or billing_cycles, not both.');
  }
  if (billing_cycle.anchor_day !== undefined && billing_cycle.interval !== 'month') {
    invalid('billing_cycle', 'anchor_day goes with months only.');
  }
  const start = start_date === undefined ? at : new Date(`${start_date}T00:00:00Z`);
  const isLater = start.getTime() > at.getTime();
  if (start.getTime() < at.getTime() - 86_400_000) invalid('start_date', 'It is in the past.');
  if (wanted.end_date !== undefined && new Date(wanted.end_date) <= start) {
    invalid('end_date', 'It must be after the first day.');
  }
  if (isLater && coupon_code !== undefined) {
    invalid('coupon_code', 'A code can only be used for a charge that is made now.');
  }
  const end = isLater ? start : periodEnd(at, billing_cycle);
  const sub = store.objects.add(owner, 'subscription', at, {
    customer_id: customerId,
    plan_id,
    payment_method_id: methodId,
    status: 'active',
    billing_cycle,
    period_day: (isLater ? start : at).getUTCDate(),
    current_period_start: at.toISOString(),
    current_period_end: end.toISOString(),
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cycles_completed: 0,
    attempt_count: 0,
    next_retry_at: null,
    products: [],
    pricing_tiers: [],
    revision: 1,
    ...given(wanted),
    billing_cycles: wanted.billing_cycles ?? 0,
  });
  if (!isLater) {
    openCycle(store, owner, sub, at, {
      couponCode: coupon_code,
      ...(for_new_customer && { for_new_customer }),
    });
  }
  return sub.id;
}

/** Charges the first cycle; a declined card leaves the subscription as failed, which is no error. */
export async function payFirst(
  shop: Shop,
  caller: Caller,
  subscriptionId: string,
): Promise<Subscription> {
  const order = shop.store.payments.orderOfCycle(subscriptionId, 1);
  if (order !== undefined) {
    const { transaction } = await pay(shop, caller.account, order.id);
    caller.settled(transaction);
  }
  return shop.store.objects.get(caller.account, 'subscription', subscriptionId);
}

export function subscriptionOf(store: Store, owner: string, subId: string): Subscription {
  return found(store.objects.find(owner, 'subscription', subId), 'subscription', subId);
}

/** With what a caller wants to know first: whether the customer may still use it. */
export function showSubscription(sub: Subscription, at: Date): object {
  const until = sub.ended_at ?? (sub.cancel_at_period_end ? sub.current_period_end : null);
  const has_access = sub.status !== 'failed' && (until === null || until > at.toISOString());
  return { ...sub, has_access, access_until: until };
}

export const cancelArguments = {
  at_period_end: z
    .boolean()
    .default(false)
    .describe(
      'true: it ends when the paid period is over, and access stays until then; false: at once',
    ),
  cancellation_reason: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(`One of ${REASONS.join(', ')}; in any case`),
  cancellation_notes: z.string().max(1000).optional().describe('Anything else about it'),
};

export function refuseReason(reason: string | undefined): void {
  if (reason === undefined || REASONS.includes(reason.toLowerCase())) return;
  invalid('cancellation_reason', `It is not one of ${REASONS.join(', ')}.`, 'invalid_value');
}
