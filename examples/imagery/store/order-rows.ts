/** Converts between an order and its rows: its own, and one for each capture or tasking in it. */
import type { Capture, NewOrder, Order, TaskingGroup } from '../order.ts';
import { DELIVERY_MS } from '../order.ts';
import type { Acting } from './acting.ts';
import type { Database, Row } from '../../shared/database.ts';
import { fromRow } from './from-row.ts';

export const ORDER_COLUMNS = `id, organization_id, project_id, kind, status, display_name, tags, credits,
  placed_by, placed_at, due_at, closed_at`;

export function insertOrder(
  db: Database,
  acting: Acting,
  { id, key, credits }: { readonly id: string; readonly key: string; readonly credits: number },
  wanted: NewOrder,
): void {
  db.insert('orders', {
    id,
    organization_id: acting.organisation,
    project_id: wanted.project_id,
    kind: wanted.kind,
    status: 'placed',
    display_name: wanted.display_name,
    tags: JSON.stringify(wanted.tags),
    credits,
    key,
    placed_by: acting.user,
    placed_at: acting.at.toISOString(),
    due_at: new Date(acting.at.getTime() + DELIVERY_MS[wanted.kind]).toISOString(),
  });
  for (const [position, capture] of wanted.captures.entries()) {
    const bbox = JSON.stringify(capture.bbox);
    db.insert('order_captures', { ...capture, bbox, order_id: id, position });
  }
  for (const [position, group] of wanted.groups.entries()) {
    const bbox = JSON.stringify(group.bbox);
    db.insert('tasking_orders', { ...group, bbox, order_id: id, position });
  }
}

/** An order from its own row, with the rows that belong to it. */
export function readOrder(db: Database, row: Row): Order {
  const values = { id: String(row['id']) };
  const captures = db.all(
    'SELECT scene_id, bbox, area_km2, credits FROM order_captures WHERE order_id = :id ORDER BY position',
    values,
  );
  const groups = db.all(
    `SELECT sensor_id, urgency, bbox, area_km2, window_start, window_end, credits
     FROM tasking_orders WHERE order_id = :id ORDER BY position`,
    values,
  );
  const shape = { json: ['bbox', 'tags'] };
  return Object.freeze({
    ...(fromRow(row, shape) as Omit<Order, 'captures' | 'groups'>),
    captures: Object.freeze(captures.map((each) => fromRow(each, shape) as Capture)),
    groups: Object.freeze(groups.map((each) => fromRow(each, shape) as TaskingGroup)),
  });
}
