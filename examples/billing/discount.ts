/** What a coupon is worth and whether it may be used. Pure: the counts come from the store. */
import type { Coupon, CouponCode } from './documents.ts';

export interface Purchase {
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly product_ids?: readonly string[] | undefined;
  readonly plan_id?: string | undefined;
  readonly at: Date;
  /** How often this customer used the coupon, and whether they bought anything before. */
  readonly customer?: { readonly redemptions: number; readonly hasOrders: boolean } | undefined;
}

/** Why the code cannot be used, or nothing. */
export function refuseCoupon(coupon: Coupon, code: CouponCode, buy: Purchase): string | undefined {
  const now = buy.at.toISOString();
  if (!coupon.active || coupon.archived) return 'inactive';
  if (coupon.starts_at !== undefined && now < coupon.starts_at) return 'not_started';
  if (coupon.expires_at !== undefined && now >= coupon.expires_at) return 'expired';
  if (typeof code.expires_at === 'string' && now >= code.expires_at) return 'expired';
  if (coupon.redemption_count >= (coupon.max_redemptions ?? Infinity)) return 'used_up';
  if (code.redemption_count >= (coupon.max_redemptions_per_code ?? Infinity)) return 'used_up';
  if (!isInScope(coupon, buy)) return 'not_for_this';
  if (buy.amount !== undefined && buy.amount < (coupon.minimum_amount ?? 0)) return 'below_minimum';
  if (coupon.amount !== undefined && (buy.currency ?? coupon.currency) !== coupon.currency) {
    return 'other_currency';
  }
  if (buy.customer === undefined) return undefined;
  if (coupon.first_time_customer_only && buy.customer.hasOrders) return 'not_first_time';
  if (buy.customer.redemptions >= (coupon.max_redemptions_per_customer ?? Infinity)) {
    return 'used_by_customer';
  }
  return undefined;
}

function isInScope({ product_scope, plan_scope, product_ids, plan_ids }: Coupon, buy: Purchase) {
  const fits = (scope: Coupon['plan_scope'], allowed: readonly string[], ids: readonly string[]) =>
    scope === 'all' || (scope === 'specific' && ids.some((id) => allowed.includes(id)));
  if (buy.plan_id !== undefined) return fits(plan_scope, plan_ids, [buy.plan_id]);
  if (buy.product_ids !== undefined) return fits(product_scope, product_ids, buy.product_ids);
  return true;
}

/** In cents, and never more than the amount itself. */
export function discountOf(coupon: Coupon, amount: number): number {
  const { percentage, max_discount_amount = Infinity } = coupon;
  // Hundredths of a percent as whole numbers: halves of cents are rounded down, for the merchant.
  const byShare =
    percentage === undefined
      ? 0
      : Number((BigInt(amount) * BigInt(Math.round(percentage * 100))) / 10_000n);
  const worth = percentage === undefined ? (coupon.amount ?? 0) : byShare;
  return Math.min(worth, max_discount_amount, amount);
}
