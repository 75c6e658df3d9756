/** What happened in an organisation, in order. Only added to. */
import type { Acting } from './acting.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow } from './from-row.ts';

export interface StoreEvent {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  /** Such as `order.placed`. */
  readonly kind: string;
  readonly subject: string;
}

export class Events {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  record({ organisation, user, at }: Acting, kind: string, subject: string): void {
    this.#db.insert('events', {
      organization_id: organisation,
      at: at.toISOString(),
      actor: user,
      kind,
      subject,
    });
  }

  /** Oldest first. */
  list(organisation: string): readonly StoreEvent[] {
    const rows = this.#db.all(
      'SELECT id, at, actor, kind, subject FROM events WHERE organization_id = :organisation ORDER BY id',
      { organisation },
    );
    return Object.freeze(rows.map((row) => fromRow(row) as StoreEvent));
  }
}
