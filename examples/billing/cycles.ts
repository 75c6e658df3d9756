/**
 * The life of a subscription: what a cycle costs, what its payment or failure does, how it is cancelled. Each
 * function is one change of the store and joins the transaction that it is called in.
 */
import { readCoupon, redeem } from './coupons.ts';
import { discountOf } from './discount.ts';
import type { BillingCycle, Subscription } from './documents.ts';
import { emit } from './events.ts';
import { fullPeriodMs, periodEnd, prorate } from './period.ts';
import { invalid, refuse } from './refusals.ts';
import type { Order } from './store/payment-rows.ts';
import type { Store } from './store.ts';

const DAY_MS = 86_400_000;
/** Days between the tries to charge a cycle; after the last one the subscription has failed. */
const DUNNING_DAYS = [1, 3, 5, 7];

/** What one whole cycle costs: the plan, its lines and its fees. */
export function cyclePrice(store: Store, account: string, sub: PricedSubscription): number {
  const plan = store.objects.get(account, 'plan', sub.plan_id);
  const lines = sub.products.map(({ product_id, quantity }) => {
    const { pricing } = store.objects.get(account, 'product', product_id);
    return pricing.amount * quantity;
  });
  const fees = sub.pricing_tiers.map(({ amount }) => amount);
  return [plan.amount, ...lines, ...fees].reduce((total, amount) => total + amount, 0);
}

type PricedSubscription = Pick<Subscription, 'plan_id' | 'products' | 'pricing_tiers'>;

/**
 * The cycle with the day on which its periods end. Without an anchor that is the day of the first one, also after a
 * month that was too short for it.
 */
export function cycleOf({ billing_cycle, period_day }: Subscription): BillingCycle {
  if (billing_cycle.interval !== 'month' || period_day === undefined) return billing_cycle;
  return { anchor_day: period_day, ...billing_cycle };
}

interface FirstCycle {
  readonly couponCode?: string | undefined;
  readonly for_new_customer?: true;
}

/** The order of the next cycle, for the period that the subscription is in now. */
export function openCycle(
  store: Store,
  account: string,
  sub: Subscription,
  at: Date,
  { couponCode, ...details }: FirstCycle = {},
): Order {
  const plan = store.objects.get(account, 'plan', sub.plan_id);
  const method = store.objects.get(account, 'payment_method', sub.payment_method_id);
  const [start, over] = [new Date(sub.current_period_start), new Date(sub.current_period_end)];
  const whole = fullPeriodMs(over, cycleOf(sub));
  const price = prorate(cyclePrice(store, account, sub), over.getTime() - start.getTime(), whole);
  const coupon = discountFor(store, account, sub, { amount: price, at }, couponCode);
  const order = store.payments.open(account, at, {
    customer_id: sub.customer_id,
    payment_method_id: method.id,
    card: method.card,
    subscription_id: sub.id,
    cycle: sub.cycles_completed + 1,
    amount: price - coupon.discount,
    discount: coupon.discount,
    currency: plan.currency,
    items: [{ product_id: plan.product_id, quantity: 1, amount: price }],
    ...details,
    ...(coupon.code_id !== undefined && { code_id: coupon.code_id, coupon_code: couponCode }),
  });
  redeem(store, account, order, at);
  // What costs nothing has no charge to wait for.
  if (order.amount === 0) applyCycle(store, account, order, true, at);
  return order;
}

function discountFor(
  store: Store,
  account: string,
  sub: Subscription,
  { amount, at }: { readonly amount: number; readonly at: Date },
  couponCode?: string,
): { readonly discount: number; readonly code_id?: string } {
  if (couponCode !== undefined) {
    const { currency } = store.objects.get(account, 'plan', sub.plan_id);
    const purchase = { amount, currency, plan_id: sub.plan_id, at };
    const reading = readCoupon(store, account, couponCode, purchase, sub.customer_id);
    if (reading.kind === 'refused') invalid('coupon_code', `The code is ${reading.reason}.`);
    const { coupon, code, discount } = reading;
    const left = { once: 0, repeating: (coupon.duration_in_cycles ?? 1) - 1, forever: null };
    change(store, account, sub, at, {
      coupon: { coupon_id: coupon.id, cycles_left: left[coupon.duration] },
    });
    return { discount, code_id: code.id };
  }
  const { coupon } = sub;
  if (coupon === undefined || coupon.cycles_left === 0) return { discount: 0 };
  const left = coupon.cycles_left === null ? null : coupon.cycles_left - 1;
  change(store, account, sub, at, { coupon: { ...coupon, cycles_left: left } });
  const terms = store.objects.get(account, 'coupon', coupon.coupon_id);
  return { discount: discountOf(terms, amount) };
}

/** A cycle can be paid late while its period lasts; what has ended is not charged for. */
export function refuseEnded(sub: Subscription, at: Date): void {
  const isOver = sub.ended_at !== null && sub.current_period_end <= at.toISOString();
  if (sub.status !== 'canceled' && sub.status !== 'completed' && !isOver) return;
  refuse('invalid_state', `Subscription ${sub.id} has ended; subscribe the customer again.`);
}

/** What becomes of the subscription when the charge of a cycle is settled. */
export function applyCycle(
  store: Store,
  account: string,
  order: Order,
  isPaid: boolean,
  at: Date,
): void {
  const { subscription_id, cycle } = order;
  if (subscription_id === null || cycle === null) return;
  const sub = store.objects.get(account, 'subscription', subscription_id);
  if (isPaid) {
    if (sub.status === 'canceled' && sub.cycles_completed < cycle) {
      // Cancelled while the charge was on its way: it goes back.
      if (order.amount > 0) store.payments.beginRefund(account, order.id, order.amount, at);
      return;
    }
    const isBack = sub.status === 'past_due' || sub.status === 'failed';
    const renewed = change(store, account, sub, at, {
      cycles_completed: Math.max(sub.cycles_completed, cycle),
      attempt_count: 0,
      next_retry_at: null,
      ...(isBack && { status: 'active', ended_at: null }),
    });
    emit(
      store,
      account,
      cycle === 1 ? 'subscription.created' : 'subscription.renewed',
      renewed,
      at,
    );
    return;
  }
  if (sub.status !== 'active' && sub.status !== 'past_due') return;
  const wait = cycle === 1 ? undefined : DUNNING_DAYS[sub.attempt_count];
  const failed = change(store, account, sub, at, {
    attempt_count: sub.attempt_count + 1,
    status: wait === undefined ? 'failed' : 'past_due',
    next_retry_at: wait === undefined ? null : later(at, wait * DAY_MS).toISOString(),
    ended_at: wait === undefined ? at.toISOString() : null,
  });
  emit(
    store,
    account,
    wait === undefined ? 'subscription.failed' : 'subscription.past_due',
    failed,
    at,
  );
}

export interface Cancellation {
  readonly at_period_end: boolean;
  readonly cancellation_reason?: string | undefined;
  readonly cancellation_notes?: string | undefined;
}

/** Cancelling what is cancelled changes nothing; at once after "at the period's end" ends it now. */
export function cancel(
  store: Store,
  account: string,
  id: string,
  { at_period_end, ...why }: Cancellation,
  at: Date,
): Subscription {
  const sub = store.objects.get(account, 'subscription', id);
  if (sub.ended_at !== null || sub.status === 'completed') return sub;
  if (at_period_end) {
    if (sub.cancel_at_period_end) return sub;
    const canceled_at = at.toISOString();
    return change(store, account, sub, at, { cancel_at_period_end: true, canceled_at, ...why });
  }
  return end(store, account, sub, 'canceled', at, at, why);
}

/** The period is over: it ends, or the next one begins. */
export function closePeriod(
  store: Store,
  account: string,
  sub: Subscription,
  at: Date,
): 'ended' | 'renewed' {
  const over = new Date(sub.current_period_end);
  const isDone = sub.billing_cycles > 0 && sub.cycles_completed >= sub.billing_cycles;
  const isLast = sub.end_date !== undefined && new Date(sub.end_date) <= over;
  if (sub.cancel_at_period_end || isDone || isLast) {
    end(store, account, sub, sub.cancel_at_period_end ? 'canceled' : 'completed', over, at);
    return 'ended';
  }
  const period_day = sub.period_day ?? over.getUTCDate();
  const next = change(store, account, sub, at, {
    period_day,
    current_period_start: over.toISOString(),
    current_period_end: periodEnd(over, cycleOf({ ...sub, period_day })).toISOString(),
  });
  openCycle(store, account, next, at);
  return 'renewed';
}

function end(
  store: Store,
  account: string,
  sub: Subscription,
  status: 'canceled' | 'completed',
  over: Date,
  at: Date,
  why: object = {},
): Subscription {
  const ended = change(store, account, sub, at, {
    status,
    ended_at: over.toISOString(),
    next_retry_at: null,
    ...(status === 'canceled' && { canceled_at: sub.canceled_at ?? at.toISOString() }),
    ...why,
  });
  emit(store, account, `subscription.${status}`, ended, at);
  return ended;
}

/** Every change goes through here and counts. */
export function change(
  store: Store,
  account: string,
  { id }: Subscription,
  at: Date,
  fields: Partial<Subscription>,
): Subscription {
  return store.atomically(() => {
    const { revision } = store.objects.get(account, 'subscription', id);
    const next = { ...fields, revision: revision + 1 };
    return store.objects.update(account, 'subscription', id, at, next);
  });
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
