/** All 67 operations, one file per group of objects. */
import type { Operation } from 'plimsoll/server';
import { accountOperations } from './operations/account.ts';
import { closingOperations } from './operations/closing.ts';
import { compositeOperations } from './operations/composites.ts';
import { couponOperations } from './operations/coupons.ts';
import { customerOperations } from './operations/customers.ts';
import type { Shop } from './operations/declare.ts';
import { orderOperations } from './operations/orders.ts';
import { paymentMethodOperations } from './operations/payment-methods.ts';
import { productOperations } from './operations/products.ts';
import { subscriptionOperations } from './operations/subscriptions.ts';
import { summaryOperations } from './operations/summaries.ts';
import { webhookVersionOperations } from './operations/webhook-versions.ts';
import { webhookOperations } from './operations/webhooks.ts';

export function billingOperations(shop: Shop): readonly Operation[] {
  return [
    accountOperations,
    customerOperations,
    paymentMethodOperations,
    productOperations,
    orderOperations,
    subscriptionOperations,
    webhookOperations,
    webhookVersionOperations,
    couponOperations,
    compositeOperations,
    closingOperations,
    summaryOperations,
  ].flatMap((of) => of(shop));
}
