/** Coupons against the store: finding a code, whether it may be used, and counting that it was. */
import type { Coupon, CouponCode } from './documents.ts';
import type { Purchase } from './discount.ts';
import { discountOf, refuseCoupon } from './discount.ts';
import { refuse } from './refusals.ts';
import type { Order } from './store/payment-rows.ts';
import type { Store } from './store.ts';

export type CouponReading =
  | {
      readonly kind: 'valid';
      readonly coupon: Coupon;
      readonly code: CouponCode;
      readonly discount: number;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** Codes are compared in upper case. */
export function readCoupon(
  store: Store,
  account: string,
  text: string,
  purchase: Omit<Purchase, 'customer'>,
  customerId?: string,
): CouponReading {
  const is = text.toUpperCase();
  const [code] = store.objects.all(account, 'coupon_code', [{ field: 'code', is }]);
  const coupon = code && store.objects.find(account, 'coupon', code.coupon_id);
  if (code === undefined || coupon === undefined)
    return { kind: 'refused', reason: 'unknown_code' };
  const customer =
    customerId === undefined ? undefined : customerCounts(store, account, coupon.id, customerId);
  const reason = refuseCoupon(coupon, code, { ...purchase, customer });
  if (reason !== undefined) return { kind: 'refused', reason };
  return { kind: 'valid', coupon, code, discount: discountOf(coupon, purchase.amount ?? 0) };
}

function customerCounts(store: Store, account: string, coupon_id: string, customer_id: string) {
  const used = store.objects.all(account, 'redemption', [
    { field: 'coupon_id', is: coupon_id },
    { field: 'customer_id', is: customer_id },
  ]);
  return {
    redemptions: used.length,
    hasOrders: store.payments.hasOrders(account, customer_id),
  };
}

/** A code counts as used from the order on, so that its limit holds for orders that are being paid too. */
export function redeem(store: Store, account: string, order: Order, at: Date): void {
  if (order.code_id === undefined || redemptionsOf(store, account, order).length > 0) return;
  const code = store.objects.get(account, 'coupon_code', order.code_id);
  const { coupon_id } = code;
  const used = { coupon_id, code_id: code.id, customer_id: order.customer_id, order_id: order.id };
  store.objects.add(account, 'redemption', at, used);
  count(store, account, code, 1, at);
}

/** For an order that is tried again: its code was given back when it failed, and others may have used it since. */
export function refuseUsedCoupon(store: Store, account: string, order: Order, at: Date): void {
  if (order.coupon_code === undefined) return;
  const sub =
    order.subscription_id && store.objects.get(account, 'subscription', order.subscription_id);
  const product_ids = order.items.map(({ product_id }) => product_id);
  const { currency, amount, discount, customer_id, coupon_code } = order;
  const purchase = {
    amount: amount + discount,
    currency,
    at,
    ...(sub ? { plan_id: sub.plan_id } : { product_ids }),
  };
  const reading = readCoupon(store, account, coupon_code, purchase, customer_id);
  if (reading.kind === 'valid') return;
  refuse(
    'invalid_state',
    `The coupon of order ${order.id} is ${reading.reason}; place a new order without it.`,
  );
}

/** A failed order uses nothing up. */
export function giveBack(store: Store, account: string, order: Order, at: Date): void {
  if (order.code_id === undefined) return;
  for (const { id } of redemptionsOf(store, account, order)) {
    store.objects.remove(account, 'redemption', id, at);
    const code = store.objects.get(account, 'coupon_code', order.code_id);
    count(store, account, code, -1, at);
  }
}

function redemptionsOf(
  store: Store,
  account: string,
  { id }: Order,
): readonly { readonly id: string }[] {
  return store.objects.all(account, 'redemption', [{ field: 'order_id', is: id }]);
}

function count(store: Store, account: string, code: CouponCode, by: number, at: Date): void {
  const coupon = store.objects.get(account, 'coupon', code.coupon_id);
  store.objects.update(account, 'coupon', coupon.id, at, {
    redemption_count: coupon.redemption_count + by,
  });
  store.objects.update(account, 'coupon_code', code.id, at, {
    redemption_count: code.redemption_count + by,
  });
}
