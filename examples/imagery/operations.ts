/** All operations of the shop, one file per kind of object. */
import type { Operation } from 'plimsoll/server';
import { analyticsRunOperations } from './operations/analytics-runs.ts';
import { analyticsOperations } from './operations/analytics.ts';
import { apiKeyOperations } from './operations/api-keys.ts';
import { approvalOperations } from './operations/approvals.ts';
import { assetOperations } from './operations/assets.ts';
import { billingOperations } from './operations/billing.ts';
import { catalogOperations } from './operations/catalog.ts';
import { collectionOperations } from './operations/collections.ts';
import type { Shop } from './operations/declare.ts';
import { estimateOperations } from './operations/estimates.ts';
import { itemReadOperations } from './operations/item-reads.ts';
import { itemOperations } from './operations/items.ts';
import { notificationOperations } from './operations/notifications.ts';
import { orderOperations } from './operations/orders.ts';
import { processingOperations } from './operations/processing.ts';
import { projectOperations } from './operations/projects.ts';
import { shareOperations } from './operations/shares.ts';
import { usageOperations } from './operations/usage.ts';

export function imageryOperations(shop: Shop): readonly Operation[] {
  return [
    catalogOperations,
    estimateOperations,
    orderOperations,
    projectOperations,
    collectionOperations,
    itemReadOperations,
    itemOperations,
    assetOperations,
    shareOperations,
    processingOperations,
    analyticsOperations,
    analyticsRunOperations,
    billingOperations,
    approvalOperations,
    usageOperations,
    apiKeyOperations,
    notificationOperations,
  ].flatMap((of) => of(shop));
}
