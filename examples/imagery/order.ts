/** An order: what was bought, for how much, and its status: placed → delivered or cancelled. */
import type { Bbox } from './area.ts';
import type { Urgency } from './pricing.ts';

export const ORDER_STATUSES = ['placed', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const ORDER_KINDS = ['archive', 'tasking'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

export interface Capture {
  readonly scene_id: string;
  /** The part of the scene that is bought. */
  readonly bbox: Bbox;
  readonly area_km2: number;
  readonly credits: number;
}

export interface TaskingGroup {
  readonly sensor_id: string;
  readonly urgency: Urgency;
  readonly bbox: Bbox;
  readonly area_km2: number;
  /** ISO instants. */
  readonly window_start: string;
  readonly window_end: string;
  readonly credits: number;
}

export interface Order {
  readonly id: string;
  readonly organization_id: string;
  /** `null` once its project was deleted. */
  readonly project_id: string | null;
  readonly kind: OrderKind;
  readonly status: OrderStatus;
  readonly display_name: string;
  readonly tags: readonly string[];
  readonly credits: number;
  readonly placed_by: string;
  readonly placed_at: string;
  readonly due_at: string;
  readonly closed_at: string | null;
  readonly captures: readonly Capture[];
  readonly groups: readonly TaskingGroup[];
}

export interface NewOrder {
  readonly project_id: string;
  readonly kind: OrderKind;
  readonly display_name: string;
  readonly tags: readonly string[];
  readonly captures: readonly Capture[];
  readonly groups: readonly TaskingGroup[];
}

/** Archive scenes are delivered at once; a new capture takes time. */
export const DELIVERY_MS: Readonly<Record<OrderKind, number>> = Object.freeze({
  archive: 5_000,
  tasking: 60_000,
});

/** The sum of its parts; an order has no separate price. */
export function creditsOf({ captures, groups }: Pick<NewOrder, 'captures' | 'groups'>): number {
  return [...captures, ...groups].reduce((sum, { credits }) => sum + credits, 0);
}
