/** Events: written in the transaction of what they tell, with a delivery for every endpoint that wants them. */
import { randomUUID } from 'node:crypto';
import type { BillingEvent } from './documents.ts';
import type { Store } from './store.ts';

export const EVENT_TYPES = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'order.succeeded',
  'order.failed',
  'order.recovery',
  'order.refunded',
  'subscription.created',
  'subscription.renewed',
  'subscription.updated',
  'subscription.past_due',
  'subscription.canceled',
  'subscription.completed',
  'subscription.failed',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export function emit(
  store: Store,
  account: string,
  type: EventType,
  about: object,
  at: Date,
): void {
  store.atomically(() => {
    const event = addEvent(store, account, type, about, at);
    for (const endpoint of store.objects.all(account, 'webhook_endpoint')) {
      if (endpoint.disabled || !wants(endpoint.enabled_events, type)) continue;
      store.deliveries.add(endpoint.id, event.id, 'event', at);
    }
  });
}

export function addEvent(
  store: Store,
  account: string,
  type: string,
  about: object,
  at: Date,
): BillingEvent {
  const data = { ...about } as Record<string, unknown>;
  return store.objects.add(account, 'event', at, { type, data }, randomUUID());
}

/** `order.*`, `*` or the very name. */
export function wants(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type,
  );
}
