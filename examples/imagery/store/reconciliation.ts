/** Whether the credits that are reserved are those of orders and jobs that are still open. */
import type { Credits } from './credits.ts';
import type { Database } from '../../shared/database.ts';

export interface Reconciled {
  /** The organisation. */
  readonly id: string;
  readonly reserved: number;
  /** Of orders and jobs that have not ended. */
  readonly open: number;
}

export class Reconciliation {
  readonly #db: Database;
  readonly #credits: Credits;

  constructor(db: Database, credits: Credits) {
    this.#db = db;
    this.#credits = credits;
  }

  list(): readonly Reconciled[] {
    const rows = this.#db.all(
      `SELECT o.id,
         (SELECT coalesce(sum(credits), 0) FROM orders WHERE organization_id = o.id AND status = 'placed')
         + (SELECT coalesce(sum(credits), 0) FROM jobs
            WHERE organization_id = o.id AND status IN ('queued', 'running')) AS open
       FROM organisations o ORDER BY o.id`,
    );
    return Object.freeze(
      rows.map((row) => {
        const id = String(row['id']);
        const { reserved } = this.#credits.balance(id);
        return Object.freeze({ id, reserved, open: Number(row['open']) });
      }),
    );
  }
}
