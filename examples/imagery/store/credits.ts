/**
 * Credits: every movement between two accounts is a row with its own key, and a balance is their sum.
 * Reserved credits move from `available` to `reserved`.
 */
import type { Acting, Slice } from './acting.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow } from './from-row.ts';

export interface Balance {
  readonly available: number;
  readonly reserved: number;
}

/** There are not enough credits; nothing was moved. */
export interface Short {
  readonly kind: 'short';
  readonly available: number;
  readonly needed: number;
}

export type Reason = 'opening' | 'topup' | 'reserve' | 'charge' | 'release';

export interface Transaction {
  readonly id: number;
  readonly at: string;
  readonly reason: Reason;
  /** The order, job or top-up behind it. */
  readonly reference: string;
  readonly available_change: number;
  readonly reserved_change: number;
}

const SHOP = 'shop';

export class Credits {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  openAccounts(organisation: string): void {
    for (const kind of ['available', 'reserved']) {
      this.#db.insert('accounts', {
        id: account(organisation, kind),
        organisation_id: organisation,
        kind,
      });
    }
  }

  openConvention(): void {
    this.#db.insert('accounts', { id: SHOP, organisation_id: null, kind: 'shop' });
  }

  balance(organisation: string): Balance {
    const rows = this.#db.all(
      'SELECT kind, balance FROM accounts WHERE organisation_id = :organisation',
      {
        organisation,
      },
    );
    const of = (kind: string) => Number(rows.find((row) => row['kind'] === kind)?.['balance'] ?? 0);
    return Object.freeze({ available: of('available'), reserved: of('reserved') });
  }

  /** Bought, or given at the start. */
  add(acting: Acting, reason: 'opening' | 'topup', reference: string, credits: number): void {
    this.#move(acting, SHOP, account(acting.organisation, 'available'), reason, reference, credits);
  }

  /** Reserves credits, or returns how many are missing. */
  reserve(acting: Acting, reference: string, credits: number): Short | undefined {
    const { available } = this.balance(acting.organisation);
    if (available < credits) return Object.freeze({ kind: 'short', available, needed: credits });
    const { organisation } = acting;
    const [from, to] = [account(organisation, 'available'), account(organisation, 'reserved')];
    this.#move(acting, from, to, 'reserve', reference, credits);
    return undefined;
  }

  /** Charges reserved credits. */
  charge(acting: Acting, reference: string, credits: number): void {
    this.#move(
      acting,
      account(acting.organisation, 'reserved'),
      SHOP,
      'charge',
      reference,
      credits,
    );
  }

  /** Releases reserved credits. */
  release(acting: Acting, reference: string, credits: number): void {
    const { organisation } = acting;
    const [from, to] = [account(organisation, 'reserved'), account(organisation, 'available')];
    this.#move(acting, from, to, 'release', reference, credits);
  }

  /** Newest first. */
  transactions(
    organisation: string,
    { limit, offset }: Slice,
    reason?: Reason,
  ): readonly Transaction[] {
    const rows = this.#db.all(
      `SELECT id, at, reason, reference,
         CASE :available WHEN to_account THEN credits WHEN from_account THEN -credits ELSE 0 END AS available_change,
         CASE :reserved WHEN to_account THEN credits WHEN from_account THEN -credits ELSE 0 END AS reserved_change
       FROM movements
       WHERE (from_account IN (:available, :reserved) OR to_account IN (:available, :reserved))
         AND (:reason IS NULL OR reason = :reason)
       ORDER BY id DESC LIMIT :limit OFFSET :offset`,
      {
        available: account(organisation, 'available'),
        reserved: account(organisation, 'reserved'),
        reason: reason ?? null,
        limit,
        offset,
      },
    );
    return Object.freeze(rows.map((row) => fromRow(row) as Transaction));
  }

  /** Credits charged from one ISO instant up to another. */
  charged(organisation: string, from: string, until: string): number {
    const row = this.#db.get(
      `SELECT coalesce(sum(credits), 0) AS credits FROM movements
       WHERE from_account = :reserved AND reason = 'charge' AND at >= :from AND at < :until`,
      { reserved: account(organisation, 'reserved'), from, until },
    );
    return Number(row?.['credits']);
  }

  /** One movement per reference and reason: a second one is refused by its key. */
  #move(
    { at }: Acting,
    from: string,
    to: string,
    reason: Reason,
    reference: string,
    credits: number,
  ): void {
    this.#db.insert('movements', {
      key: `${reference} ${reason}`,
      from_account: from,
      to_account: to,
      credits,
      reason,
      reference,
      at: at.toISOString(),
    });
  }
}

function account(organisation: string, kind: string): string {
  return `${kind}:${organisation}`;
}
