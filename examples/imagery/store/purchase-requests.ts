/** Requests to buy credits, which another member approves or rejects before anything is charged. */
import type { Acting } from './acting.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow, newId } from './from-row.ts';
import type { Events } from './events.ts';

export const REQUEST_STATUSES = ['pending', 'approved', 'rejected'] as const;

export interface PurchaseRequest {
  readonly id: string;
  readonly credits: number;
  readonly status: (typeof REQUEST_STATUSES)[number];
  readonly reason: string | null;
  readonly requested_by: string;
  readonly decided_by: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

const COLUMNS = 'id, credits, status, reason, requested_by, decided_by, created_at, expires_at';

export class PurchaseRequests {
  readonly #db: Database;
  readonly #events: Events;

  constructor(db: Database, events: Events) {
    this.#db = db;
    this.#events = events;
  }

  find(organisation: string, id: string): PurchaseRequest | undefined {
    const row = this.#db.get(
      `SELECT ${COLUMNS} FROM purchase_requests WHERE organization_id = :organisation AND id = :id`,
      { organisation, id },
    );
    return row === undefined ? undefined : (fromRow(row) as PurchaseRequest);
  }

  /** Newest first. */
  list(organisation: string, status?: PurchaseRequest['status']): readonly PurchaseRequest[] {
    const rows = this.#db.all(
      `SELECT ${COLUMNS} FROM purchase_requests
       WHERE organization_id = :organisation AND (:status IS NULL OR status = :status)
       ORDER BY seq DESC LIMIT 500`,
      { organisation, status: status ?? null },
    );
    return Object.freeze(rows.map((row) => fromRow(row) as PurchaseRequest));
  }

  create(acting: Acting, credits: number, expiresAt: Date): PurchaseRequest {
    const request: PurchaseRequest = Object.freeze({
      id: newId('apr'),
      credits,
      status: 'pending',
      reason: null,
      requested_by: acting.user,
      decided_by: null,
      created_at: acting.at.toISOString(),
      expires_at: expiresAt.toISOString(),
    });
    return this.#db.atomically(() => {
      this.#db.insert('purchase_requests', { ...request, organization_id: acting.organisation });
      this.#events.record(acting, 'purchase.requested', request.id);
      return request;
    });
  }

  /** Returns whether it was still pending; a decision is final. */
  decide(
    acting: Acting,
    id: string,
    status: 'approved' | 'rejected',
    reason: string | null,
  ): boolean {
    return this.#db.atomically(() => {
      const { changes } = this.#db.run(
        `UPDATE purchase_requests SET status = :status, reason = :reason, decided_by = :user
         WHERE organization_id = :organisation AND id = :id AND status = 'pending'`,
        { id, status, reason, organisation: acting.organisation, user: acting.user },
      );
      if (changes === 0) return false;
      this.#events.record(acting, `purchase.${status}`, id);
      return true;
    });
  }
}
