/**
 * Orders: placing reserves the credits, delivery charges them, cancelling releases them. Each of the
 * three happens once, however often it is requested.
 */
import type { Item } from '../item.ts';
import type { NewOrder, Order, OrderKind, OrderStatus } from '../order.ts';
import { creditsOf } from '../order.ts';
import { findSensor } from '../sensors.ts';
import type { Acting, Slice } from './acting.ts';
import type { Credits, Short } from './credits.ts';
import type { Database } from '../../shared/database.ts';
import { newId } from './from-row.ts';
import type { Events } from './events.ts';
import type { Inbox } from './inbox.ts';
import { toDelivery } from './delivery.ts';
import type { Items } from './items.ts';
import { insertOrder, ORDER_COLUMNS, readOrder } from './order-rows.ts';
import type { Scenes } from './scenes.ts';

export type Placing =
  /** `again` when the key was used before: the first order, and nothing was moved. */
  { readonly kind: 'placed' | 'again'; readonly order: Order } | Short;

export type Cancelling =
  | { readonly kind: 'cancelled' | 'again'; readonly order: Order }
  /** It was closed before, by a delivery or under another key. */
  | { readonly kind: 'closed'; readonly order: Order };

export interface OrderQuery {
  readonly projectId?: string | undefined;
  readonly kind?: OrderKind | undefined;
  readonly status?: OrderStatus | undefined;
}

/** The actor that closes a delivered order. */
const VENDOR = 'vendor';

interface Parts {
  readonly credits: Credits;
  readonly events: Events;
  readonly inbox: Inbox;
  readonly items: Items;
  readonly scenes: Scenes;
}

export class Orders {
  readonly #db: Database;
  readonly #parts: Parts;

  constructor(db: Database, parts: Parts) {
    this.#db = db;
    this.#parts = parts;
  }

  find(organisation: string, id: string): Order | undefined {
    const row = this.#db.get(
      `SELECT ${ORDER_COLUMNS} FROM orders WHERE organization_id = :organisation AND id = :id`,
      { organisation, id },
    );
    return row === undefined ? undefined : readOrder(this.#db, row);
  }

  findByKey(organisation: string, key: string): Order | undefined {
    const row = this.#db.get(
      `SELECT ${ORDER_COLUMNS} FROM orders WHERE organization_id = :organisation AND key = :key`,
      { organisation, key },
    );
    return row === undefined ? undefined : readOrder(this.#db, row);
  }

  /** Newest first. */
  list(organisation: string, query: OrderQuery, slice: Slice): readonly Order[] {
    const rows = this.#db.all(
      `SELECT ${ORDER_COLUMNS} FROM orders WHERE organization_id = :organisation
         AND (:project IS NULL OR project_id = :project) AND (:kind IS NULL OR kind = :kind)
         AND (:status IS NULL OR status = :status)
       ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
      {
        organisation,
        project: query.projectId ?? null,
        kind: query.kind ?? null,
        status: query.status ?? null,
        ...slice,
      },
    );
    return Object.freeze(rows.map((row) => readOrder(this.#db, row)));
  }

  /** One order for one key. */
  place(acting: Acting, key: string, wanted: NewOrder): Placing {
    return this.#db.atomically(() => {
      const first = this.findByKey(acting.organisation, key);
      if (first !== undefined) return Object.freeze({ kind: 'again', order: first });
      const id = newId('ord');
      const credits = creditsOf(wanted);
      const short = this.#parts.credits.reserve(acting, id, credits);
      if (short !== undefined) return short;
      insertOrder(this.#db, acting, { key, id, credits }, wanted);
      this.#parts.events.record(acting, 'order.placed', id);
      return Object.freeze({ kind: 'placed', order: this.#mustFind(acting.organisation, id) });
    });
  }

  cancel(acting: Acting, key: string, id: string): Cancelling | undefined {
    return this.#db.atomically(() => {
      const order = this.find(acting.organisation, id);
      if (order === undefined) return undefined;
      if (order.status !== 'placed') {
        const row = this.#db.get('SELECT closing_key FROM orders WHERE id = :id', { id });
        const isSame = order.status === 'cancelled' && row?.['closing_key'] === key;
        return Object.freeze({ kind: isSame ? 'again' : 'closed', order });
      }
      this.#close(acting, order, 'cancelled', key);
      this.#parts.credits.release(acting, id, order.credits);
      this.#parts.events.record(acting, 'order.cancelled', id);
      return Object.freeze({ kind: 'cancelled', order: this.#mustFind(acting.organisation, id) });
    });
  }

  setTags(acting: Acting, id: string, tags: readonly string[]): Order | undefined {
    return this.#db.atomically(() => {
      const { changes } = this.#db.run(
        'UPDATE orders SET tags = :tags WHERE organization_id = :organisation AND id = :id',
        { tags: JSON.stringify(tags), organisation: acting.organisation, id },
      );
      if (changes === 0) return undefined;
      this.#parts.events.record(acting, 'order.tagged', id);
      return this.#mustFind(acting.organisation, id);
    });
  }

  /** Delivers what is due: charges it and puts the imagery into the project. */
  deliverDue(at: Date): readonly Order[] {
    const due = this.#db.all(
      `SELECT id, organization_id FROM orders WHERE status = 'placed' AND due_at <= :at ORDER BY seq`,
      { at: at.toISOString() },
    );
    return Object.freeze(
      due.map((row) => this.#deliver(String(row['organization_id']), String(row['id']), at)),
    );
  }

  #deliver(organisation: string, id: string, at: Date): Order {
    return this.#db.atomically(() => {
      const order = this.#mustFind(organisation, id);
      if (order.status !== 'placed') return order;
      const acting: Acting = { organisation, user: VENDOR, at };
      this.#close(acting, order, 'delivered', VENDOR);
      this.#parts.credits.charge(acting, id, order.credits);
      for (const { item, asset } of toDelivery(
        order,
        at,
        (scene) => this.#parts.scenes.find(scene),
        findSensor,
      )) {
        this.#parts.items.create({ ...acting, user: order.placed_by }, item, [asset]);
      }
      const title = `Order ${order.display_name} was delivered.`;
      this.#parts.inbox.add({ ...acting, user: order.placed_by }, 'order.delivered', title, id);
      this.#parts.events.record(acting, 'order.delivered', id);
      return this.#mustFind(organisation, id);
    });
  }

  /** What was delivered for an order. */
  itemsOf(organisation: string, orderId: string): readonly Item[] {
    return this.#parts.items.list(organisation, { orderId }, { limit: 1000, offset: 0 });
  }

  #close({ at }: Acting, { id }: Order, status: OrderStatus, key: string): void {
    this.#db.run(
      'UPDATE orders SET status = :status, closing_key = :key, closed_at = :at WHERE id = :id',
      { id, status, key, at: at.toISOString() },
    );
  }

  #mustFind(organisation: string, id: string): Order {
    const order = this.find(organisation, id);
    if (order === undefined)
      throw new Error(`order ${id} disappeared, although orders are never deleted`);
    return order;
  }
}
