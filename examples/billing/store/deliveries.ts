/** Webhook deliveries: written with the event itself, sent by the worker, tried again with growing waits. */
import { randomUUID } from 'node:crypto';
import type { Database, Row } from './database.ts';
import type { PageQuery } from './page.ts';
import { cutPage } from './page.ts';

export interface Delivery {
  readonly id: string;
  readonly object: 'webhook_delivery';
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly reason: 'event' | 'test' | 'replay';
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly next_at: string;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly created_at: string;
}

export interface Attempted {
  readonly status?: number;
  readonly error?: string;
}

const MINUTE = 60_000;
/** Longer than a delivery can take. */
const CLAIMED_MS = 2 * MINUTE;
/** Waits after the first failures; then it is given up. */
const WAITS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 720 * MINUTE];

export class Deliveries {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(endpointId: string, eventId: string, reason: Delivery['reason'], at: Date): Delivery {
    const id = randomUUID();
    const time = at.toISOString();
    this.#db.insert('deliveries', {
      id,
      endpoint_id: endpointId,
      event_id: eventId,
      reason,
      status: 'pending',
      next_at: time,
      created_at: time,
    });
    return this.#get(id);
  }

  due(at: Date): readonly Delivery[] {
    return this.#db
      .all(
        `SELECT deliveries.* FROM deliveries JOIN objects ON objects.id = endpoint_id
         WHERE status = 'pending' AND reason = 'event' AND next_at <= :at
           AND json_extract(data, '$.disabled') = 0
         ORDER BY deliveries.seq LIMIT 1000`,
        { at: at.toISOString() },
      )
      .map(fromRow);
  }

  /** Whether it is ours to send; if this process ends meanwhile, it is due again after a while. */
  claim({ id, next_at }: Delivery, at: Date): boolean {
    const later = new Date(at.getTime() + CLAIMED_MS).toISOString();
    const { changes } = this.#db.run(
      `UPDATE deliveries SET next_at = :later
       WHERE id = :id AND status = 'pending' AND next_at = :next_at`,
      { id, next_at, later },
    );
    return changes === 1;
  }

  /** A caller waited for these, and the process ended before they did. */
  endInterrupted(at: Date): void {
    this.#db.run(
      `UPDATE deliveries SET status = 'failed', last_error = 'interrupted; it may have been delivered'
       WHERE status = 'pending' AND reason <> 'event' AND created_at <= :until`,
      { until: new Date(at.getTime() - CLAIMED_MS).toISOString() },
    );
  }

  /** Counts the attempt: delivered, due again, or given up. One that a caller waits for is tried once. */
  settle({ id, attempts, reason }: Delivery, at: Date, { status, error }: Attempted): Delivery {
    const isDelivered = status !== undefined && status >= 200 && status < 300;
    const wait = reason === 'event' ? WAITS[attempts] : undefined;
    this.#db.update('deliveries', id, {
      status: isDelivered ? 'delivered' : wait === undefined ? 'failed' : 'pending',
      attempts: attempts + 1,
      next_at: new Date(at.getTime() + (wait ?? 0)).toISOString(),
      last_status: status ?? null,
      last_error: error ?? null,
    });
    return this.#get(id);
  }

  stopFor(endpointId: string): void {
    this.#db.run(
      `UPDATE deliveries SET status = 'failed', last_error = 'the endpoint was deleted'
       WHERE endpoint_id = :endpointId AND status = 'pending'`,
      { endpointId },
    );
  }

  list(endpointId: string, query: PageQuery) {
    const source = {
      table: 'deliveries',
      where: ['endpoint_id = :endpointId'],
      values: { endpointId },
    } as const;
    const cut = cutPage(this.#db, source, query);
    return cut.kind === 'rows' ? { ...cut, rows: cut.rows.map(fromRow) } : cut;
  }

  #get(id: string): Delivery {
    const row = this.#db.get('SELECT * FROM deliveries WHERE id = :id', { id });
    if (row === undefined) throw new Error(`delivery ${id} has disappeared from the store`);
    return fromRow(row);
  }
}

function fromRow(row: Row): Delivery {
  const { seq: _, ...columns } = row;
  return Object.freeze({ object: 'webhook_delivery', ...columns }) as unknown as Delivery; // by the schema
}
