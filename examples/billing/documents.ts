/** The documents of an account: what each kind holds beside its id and its times. */

/** What every document has; the rest is its kind's. */
export interface Doc {
  readonly id: string;
  readonly object: Kind;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
}

/** Every kind of document. */
export interface Documents {
  readonly customer: Customer;
  readonly payment_method: PaymentMethod;
  readonly product: Product;
  readonly plan: Plan;
  readonly subscription: Subscription;
  readonly coupon: Coupon;
  readonly coupon_code: CouponCode;
  readonly redemption: Redemption;
  readonly webhook_endpoint: WebhookEndpoint;
  readonly event: BillingEvent;
}

export type Kind = keyof Documents;

type Metadata = Readonly<Record<string, string>>;

export interface Customer extends Doc {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone: string;
  readonly company?: string | undefined;
  readonly shipping?: unknown;
  readonly metadata: Metadata;
  readonly tags: readonly string[];
  readonly default_payment_method: string | null;
}

export interface PaymentMethod extends Doc {
  readonly customer_id: string;
  /** At the processor; never shown. */
  readonly card: string;
  readonly brand: string;
  readonly last4: string;
  readonly billing_details?: unknown;
}

export interface Product extends Doc {
  readonly name: string;
  readonly description: string;
  readonly pricing: Money;
  readonly requires_shipping: boolean;
  readonly sku: string;
  readonly availability: string;
  readonly category?: string | undefined;
  readonly metadata: Metadata;
  readonly images: readonly { readonly id: string; readonly url: string }[];
}

interface Money {
  readonly amount: number;
  readonly currency: string;
}

interface Plan extends Doc {
  readonly product_id: string;
  readonly name: string;
  readonly code: string;
  readonly description: string;
  readonly amount: number;
  readonly currency: string;
  readonly interval: string;
  readonly interval_count: number;
  readonly active: boolean;
}

export interface BillingCycle {
  readonly interval: 'day' | 'month';
  readonly interval_count: number;
  readonly anchor_day?: number | undefined;
}

interface Line {
  readonly id: string;
  readonly product_id: string;
  readonly quantity: number;
}

interface PricingTier {
  readonly name: string;
  readonly amount: number;
}

type SubscriptionStatus = 'active' | 'past_due' | 'canceled' | 'completed' | 'failed';

export interface Subscription extends Doc {
  readonly customer_id: string;
  readonly plan_id: string;
  readonly payment_method_id: string;
  readonly status: SubscriptionStatus;
  readonly billing_cycle: BillingCycle;
  /** The day of the month that the first period began on; months too short for it do not change it. */
  readonly period_day?: number | undefined;
  readonly current_period_start: string;
  readonly current_period_end: string;
  readonly cancel_at_period_end: boolean;
  readonly cancellation_reason?: string | undefined;
  readonly cancellation_notes?: string | undefined;
  readonly canceled_at: string | null;
  /** From then on there is no access. */
  readonly ended_at: string | null;
  readonly cycles_completed: number;
  /** 0: until it is cancelled. */
  readonly billing_cycles: number;
  readonly end_date?: string | undefined;
  readonly attempt_count: number;
  readonly next_retry_at: string | null;
  readonly products: readonly Line[];
  readonly pricing_tiers: readonly PricingTier[];
  readonly shipping_address?: unknown;
  readonly shipping_address_id?: string | undefined;
  readonly shipping_option_id?: string | undefined;
  readonly coupon?: { readonly coupon_id: string; readonly cycles_left: number | null } | undefined;
  /** Goes up with every change. */
  readonly revision: number;
}

export interface Coupon extends Doc {
  readonly kind: 'generated' | 'promo';
  readonly name: string;
  readonly description?: string | undefined;
  readonly percentage?: number | undefined;
  readonly amount?: number | undefined;
  readonly currency: string;
  readonly max_discount_amount?: number | undefined;
  readonly duration: 'once' | 'repeating' | 'forever';
  readonly duration_in_cycles?: number | undefined;
  readonly minimum_amount?: number | undefined;
  readonly first_time_customer_only: boolean;
  readonly max_redemptions?: number | undefined;
  readonly max_redemptions_per_code?: number | undefined;
  readonly max_redemptions_per_customer?: number | undefined;
  readonly starts_at?: string | undefined;
  readonly expires_at?: string | undefined;
  readonly product_scope: Scope;
  readonly plan_scope: Scope;
  readonly product_ids: readonly string[];
  readonly plan_ids: readonly string[];
  readonly active: boolean;
  readonly archived: boolean;
  readonly redemption_count: number;
}

type Scope = 'none' | 'all' | 'specific';

export interface CouponCode extends Doc {
  readonly coupon_id: string;
  /** Upper case. */
  readonly code: string;
  readonly expires_at?: string | null | undefined;
  readonly redemption_count: number;
}

interface Redemption extends Doc {
  readonly coupon_id: string;
  readonly code_id: string;
  readonly customer_id: string;
  readonly order_id: string;
}

export interface WebhookEndpoint extends Doc {
  readonly url: string;
  readonly enabled_events: readonly string[];
  readonly description?: string | undefined;
  readonly api_version: string;
  readonly disabled: boolean;
  /** Signs deliveries; shown once, when it is made. */
  readonly secret: string;
}

export interface BillingEvent extends Doc {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
