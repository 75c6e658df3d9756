/**
 * Every EPD tool, declared as what it does. Tools that take a key say so, whether or not their
 * nature would also make a repeat harmless.
 */
import type { Declaration } from 'plimsoll';
import {
  archives,
  cancels,
  creates,
  deletes,
  delivers,
  reads,
  refunds,
  revokes,
  sets,
  spends,
  updates,
} from 'plimsoll';
import { declare } from './golden.ts';

const UNIT = 'USD cents';

const account = { reach: 'own-account' } as const;
const keyed = { ...account, repeat: 'key-optional' } as const;
const mustKey = { ...account, repeat: 'key-required' } as const;
const outward = { reach: 'user-url', repeat: 'fresh' } as const;
const withSecret = {
  ...keyed,
  secrets: ['signing_secret'],
  secretsReason: 'The endpoint and the secret that signs its deliveries are made together.',
} as const;

/** A charge that a refund undoes, or a refund and a cancellation where it starts a subscription. */
const charges = spends(UNIT, { ...mustKey, reversible: true });

const accounts: readonly Declaration[] = [
  declare('ping', 'Ping', reads('account', account)),
  declare('get_account', 'Get account', reads('account', account)),
  declare(
    'upgrade_account_api_version',
    'Upgrade account API version',
    // No downgrade exists.
    sets('account API version', { ...keyed, reversible: false }),
  ),
];

const customers: readonly Declaration[] = [
  declare('create_customer', 'Create customer', creates('customer', keyed)),
  declare('list_customers', 'List customers', reads('customer', account)),
  declare('get_customer', 'Get customer', reads('customer', account)),
  declare('update_customer', 'Update customer', updates('customer', keyed)),
  declare('delete_customer', 'Delete customer', deletes('customer', keyed)),
  declare('list_payment_methods', 'List payment methods', reads('payment method', account)),
  declare('add_payment_method', 'Add payment method', creates('payment method', keyed)),
  declare('delete_payment_method', 'Delete payment method', deletes('payment method', keyed)),
];

const catalogue: readonly Declaration[] = [
  declare('create_product', 'Create product', creates('product', keyed)),
  declare('list_products', 'List products', reads('product', account)),
  declare('get_product', 'Get product', reads('product', account)),
  declare('update_product', 'Update product', updates('product', keyed)),
  declare('delete_product', 'Delete product', deletes('product', keyed)),
  declare('delete_product_image', 'Delete product image', deletes('product image', keyed)),
  declare('reorder_product_images', 'Reorder product images', sets('image order', account)),
  declare('list_plans', 'List plans', reads('plan', account)),
  declare('get_plan', 'Get plan', reads('plan', account)),
];

const payments: readonly Declaration[] = [
  declare('create_order', 'Create order', charges),
  declare('list_orders', 'List orders', reads('order', account)),
  declare('get_order', 'Get order', reads('order', account)),
  declare('refund_order', 'Refund order', refunds(UNIT, mustKey)),
  declare(
    'retry_order',
    'Retry order payment',
    // It tries again whatever failed, and a refund that then goes through cannot be undone.
    spends(UNIT, { ...mustKey, reversible: false }),
  ),
  declare('create_subscription', 'Create subscription', charges),
  declare('list_subscriptions', 'List subscriptions', reads('subscription', account)),
  declare('get_subscription', 'Get subscription', reads('subscription', account)),
  declare('update_subscription', 'Update subscription', updates('subscription', keyed)),
  declare('cancel_subscription', 'Cancel subscription', cancels('subscription', keyed)),
  declare('list_transactions', 'List transactions', reads('transaction', account)),
  declare('get_transaction', 'Get transaction', reads('transaction', account)),
];

const webhooks: readonly Declaration[] = [
  declare(
    'create_webhook_endpoint',
    'Create webhook endpoint',
    creates('webhook endpoint', withSecret),
  ),
  declare('list_webhook_endpoints', 'List webhook endpoints', reads('webhook endpoint', account)),
  declare('get_webhook_endpoint', 'Get webhook endpoint', reads('webhook endpoint', account)),
  declare('update_webhook_endpoint', 'Update webhook endpoint', updates('webhook endpoint', keyed)),
  declare('delete_webhook_endpoint', 'Delete webhook endpoint', deletes('webhook endpoint', keyed)),
  declare(
    'rotate_webhook_secret',
    'Rotate webhook secret',
    revokes('webhook secret', {
      ...withSecret,
      secretsReason: 'The new secret comes in the same answer that ends the old one.',
    }),
  ),
  declare('test_webhook_endpoint', 'Test webhook endpoint', delivers('test event', outward)),
  declare('upgrade_webhook_version', 'Upgrade webhook version', sets('webhook version', account)),
  declare(
    'downgrade_webhook_version',
    'Downgrade webhook version',
    sets('webhook version', account),
  ),
  declare('replay_webhook_event', 'Replay webhook event', delivers('webhook event', outward)),
  declare('list_webhook_events', 'List webhook events', reads('webhook event', account)),
  declare(
    'list_webhook_delivery_logs',
    'List webhook delivery logs',
    reads('webhook delivery', account),
  ),
  declare('list_webhook_versions', 'List webhook versions', reads('webhook version', account)),
  declare('preview_webhook_payload', 'Preview webhook payload', reads('webhook payload', account)),
  declare(
    'compare_webhook_versions',
    'Compare webhook versions',
    reads('webhook version', account),
  ),
];

const coupons: readonly Declaration[] = [
  declare('create_coupon', 'Create coupon', creates('coupon', keyed)),
  declare('list_coupons', 'List coupons', reads('coupon', account)),
  declare('retrieve_coupon', 'Retrieve coupon', reads('coupon', account)),
  declare('update_coupon', 'Update coupon', updates('coupon', keyed)),
  declare('archive_coupon', 'Archive coupon', archives('coupon', keyed)),
  declare('unarchive_coupon', 'Unarchive coupon', sets('coupon', keyed)),
  declare('generate_coupon_codes', 'Generate coupon codes', creates('coupon code', keyed)),
  declare('list_coupon_codes', 'List coupon codes', reads('coupon code', account)),
  declare('validate_coupon', 'Validate coupon', reads('coupon', account)),
];

const composites: readonly Declaration[] = [
  declare('create_customer_and_charge', 'Create customer and charge', charges),
  declare('create_customer_and_subscribe', 'Create customer and subscribe', charges),
  declare('process_order', 'Process order', charges),
  declare(
    'cancel_subscription_and_report',
    'Cancel subscription and report',
    cancels('subscription', keyed),
  ),
  declare(
    'get_customer_financial_summary',
    'Get customer financial summary',
    reads('customer', account),
  ),
  declare('get_revenue_summary', 'Get revenue summary', reads('revenue', account)),
  declare(
    'list_past_due_subscriptions',
    'List past-due subscriptions',
    reads('subscription', account),
  ),
  declare('refund_transaction', 'Refund transaction', refunds(UNIT, mustKey)),
  declare(
    'setup_webhook_monitoring',
    'Setup webhook monitoring',
    creates('webhook endpoint', withSecret),
  ),
  declare(
    'refund_and_cancel',
    'Refund and cancel',
    // The cancellation is the graver half and gives the act; the refund stands in the money.
    cancels('subscription', { ...mustKey, money: { moves: 'refund', unit: UNIT } }),
  ),
  declare('retry_failed_charge', 'Retry failed charge', charges),
];

export const declarations: readonly Declaration[] = [
  ...accounts,
  ...customers,
  ...catalogue,
  ...payments,
  ...webhooks,
  ...coupons,
  ...composites,
];
