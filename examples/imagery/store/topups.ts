/**
 * Top-ups: the intention is stored before the card is charged, so that an interrupted one can be
 * resumed under the same key. Credits are added with the charge, once.
 */
import type { Acting } from './acting.ts';
import type { Credits } from './credits.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow, newId } from './from-row.ts';
import type { Events } from './events.ts';
import type { Inbox } from './inbox.ts';

export interface Topup {
  readonly id: string;
  readonly credits: number;
  readonly card: string;
  readonly status: 'pending' | 'paid' | 'declined';
  readonly charge_id: string | null;
  readonly decline_reason: string | null;
  readonly created_at: string;
}

/** `again` when the key was used before, and the earlier attempt may have continued. */
export interface Beginning {
  readonly kind: 'new' | 'again';
  readonly topup: Topup;
}

export interface PendingTopup {
  readonly id: string;
  readonly organisation: string;
  readonly user: string;
}

const COLUMNS = 'id, credits, card, status, charge_id, decline_reason, created_at';

export class Topups {
  readonly #db: Database;
  readonly #credits: Credits;
  readonly #events: Events;
  readonly #inbox: Inbox;

  constructor(db: Database, credits: Credits, events: Events, inbox: Inbox) {
    this.#db = db;
    this.#credits = credits;
    this.#events = events;
    this.#inbox = inbox;
  }

  /** The card on file. */
  cardOf(organisation: string): string {
    return String(
      this.#db.get('SELECT card FROM organisations WHERE id = :organisation', { organisation })?.[
        'card'
      ],
    );
  }

  /** The intention under this key, new or existing. */
  begin(acting: Acting, key: string, credits: number, card: string): Beginning {
    return this.#db.atomically(() => {
      const { organisation } = acting;
      const row = this.#db.get(
        `SELECT ${COLUMNS} FROM topups WHERE organization_id = :organisation AND key = :key`,
        { organisation, key },
      );
      if (row !== undefined) return Object.freeze({ kind: 'again', topup: fromRow(row) as Topup });
      const id = newId('top');
      this.#db.insert('topups', {
        id,
        organization_id: organisation,
        key,
        credits,
        card,
        status: 'pending',
        created_by: acting.user,
        created_at: acting.at.toISOString(),
      });
      return Object.freeze({ kind: 'new', topup: this.#mustFind(organisation, id) });
    });
  }

  /** The card was charged: adds the credits, unless that was done before. */
  pay(acting: Acting, id: string, chargeId: string): Topup {
    return this.#db.atomically(() => {
      const before = this.#mustFind(acting.organisation, id);
      if (before.status === 'paid') return before;
      this.#settle(acting, id, 'paid', chargeId, null);
      this.#credits.add(acting, 'topup', id, before.credits);
      this.#inbox.add(acting, 'topup.paid', `${before.credits} credits were added.`, id);
      this.#events.record(acting, 'topup.paid', id);
      return this.#mustFind(acting.organisation, id);
    });
  }

  decline(acting: Acting, id: string, reason: string): Topup {
    return this.#db.atomically(() => {
      const before = this.#mustFind(acting.organisation, id);
      if (before.status !== 'pending') return before;
      this.#settle(acting, id, 'declined', null, reason);
      this.#events.record(acting, 'topup.declined', id);
      return this.#mustFind(acting.organisation, id);
    });
  }

  /** Pending intentions from a period of time, with who started them. */
  pending(from: Date, until: Date): readonly PendingTopup[] {
    const rows = this.#db.all(
      `SELECT id, organization_id AS organisation, created_by AS user FROM topups
       WHERE status = 'pending' AND created_at >= :from AND created_at <= :until ORDER BY seq`,
      { from: from.toISOString(), until: until.toISOString() },
    );
    return Object.freeze(rows.map((row) => fromRow(row) as PendingTopup));
  }

  #settle(
    { at }: Acting,
    id: string,
    status: Topup['status'],
    chargeId: string | null,
    reason: string | null,
  ): void {
    this.#db.run(
      `UPDATE topups SET status = :status, charge_id = :chargeId, decline_reason = :reason,
         settled_at = :at WHERE id = :id`,
      { id, status, chargeId, reason, at: at.toISOString() },
    );
  }

  #mustFind(organisation: string, id: string): Topup {
    const row = this.#db.get(
      `SELECT ${COLUMNS} FROM topups WHERE organization_id = :organisation AND id = :id`,
      { organisation, id },
    );
    if (row === undefined)
      throw new Error(`top-up ${id} disappeared, although top-ups are never deleted`);
    return fromRow(row) as Topup;
  }
}
