/** What an organisation has used: credits by month, storage, and today's compute. */
import type { ComputeBudget } from './compute-budget.ts';
import { dayOf, SECONDS_PER_DAY } from './compute-budget.ts';
import type { Credits } from './credits.ts';
import type { Database } from '../../shared/database.ts';

export interface CurrentUsage {
  /** Such as `2026-07`. */
  readonly month: string;
  readonly credits_charged: number;
  readonly items: number;
  readonly storage_bytes: number;
  readonly compute_seconds_today: number;
  readonly compute_seconds_per_day: number;
}

export interface MonthlyUsage {
  readonly month: string;
  readonly credits_charged: number;
}

export class Usage {
  readonly #db: Database;
  readonly #credits: Credits;
  readonly #budget: ComputeBudget;

  constructor(db: Database, credits: Credits, budget: ComputeBudget) {
    this.#db = db;
    this.#credits = credits;
    this.#budget = budget;
  }

  current(organisation: string, at: Date): CurrentUsage {
    const stored = this.#db.get(
      `SELECT count(DISTINCT i.id) AS items, coalesce(sum(a.bytes), 0) AS bytes
       FROM items i JOIN projects p ON p.id = i.project_id LEFT JOIN assets a ON a.item_id = i.id
       WHERE p.organization_id = :organisation`,
      { organisation },
    );
    return Object.freeze({
      ...this.#month(organisation, at, 0),
      items: Number(stored?.['items']),
      storage_bytes: Number(stored?.['bytes']),
      compute_seconds_today: this.#budget.used(organisation, dayOf(at)),
      compute_seconds_per_day: SECONDS_PER_DAY,
    });
  }

  /** The month of `at` and those before it, newest first. */
  history(organisation: string, at: Date, months: number): readonly MonthlyUsage[] {
    return Object.freeze(
      Array.from({ length: months }, (_, back) => this.#month(organisation, at, back)),
    );
  }

  #month(organisation: string, at: Date, back: number): MonthlyUsage {
    const start = (shift: number) =>
      new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + shift, 1)).toISOString();
    const from = start(-back);
    const credits_charged = this.#credits.charged(organisation, from, start(1 - back));
    return Object.freeze({ month: from.slice(0, 7), credits_charged });
  }
}
