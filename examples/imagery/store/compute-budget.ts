/** Analytics runs, limited to a number of compute seconds per organisation and day. */
import type { Acting } from './acting.ts';
import type { Database } from '../../shared/database.ts';

export const SECONDS_PER_DAY = 600;

export type Run =
  | { readonly kind: 'granted'; readonly left: number }
  | { readonly kind: 'spent'; readonly left: number };

export class ComputeBudget {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  used(organisation: string, day: string): number {
    const row = this.#db.get(
      `SELECT coalesce(sum(seconds), 0) AS seconds FROM analytics_runs
       WHERE organization_id = :organisation AND day = :day`,
      { organisation, day },
    );
    return Number(row?.['seconds']);
  }

  /** Takes seconds from the day's budget, or none when there are not enough. */
  take(acting: Acting, method: string, seconds: number): Run {
    return this.#db.atomically(() => {
      const day = dayOf(acting.at);
      const left = SECONDS_PER_DAY - this.used(acting.organisation, day);
      if (left < seconds) return Object.freeze({ kind: 'spent', left });
      this.#db.insert('analytics_runs', {
        organization_id: acting.organisation,
        day,
        method,
        seconds,
        created_by: acting.user,
        created_at: acting.at.toISOString(),
      });
      return Object.freeze({ kind: 'granted', left: left - seconds });
    });
  }
}

/** Budgets reset at midnight UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
