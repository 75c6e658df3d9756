/**
 * The processor's charges, in its own SQLite file. A key is valid for one charge forever; the same key
 * with another amount or card is an error, not a second charge.
 */
import { randomUUID } from 'node:crypto';
import type { Row } from './store/database.ts';
import { Database } from './store/database.ts';

export interface Charge {
  readonly id: string;
  readonly key: string;
  readonly card: string;
  readonly amount_cents: number;
  readonly currency: string;
  readonly created_at: string;
}

export type NewCharge = Pick<Charge, 'key' | 'card' | 'amount_cents' | 'currency'>;

type Charging =
  | { readonly kind: 'charged' | 'again'; readonly charge: Charge }
  | { readonly kind: 'conflict' };

export interface Charges extends Disposable {
  /** Committed to the disk when it returns. */
  charge(wanted: NewCharge, at: Date): Charging;
  find(key: string): Charge | undefined;
  count(): number;
  close(): void;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS charges (
  id           TEXT PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE CHECK (length(key) BETWEEN 1 AND 255),
  card         TEXT NOT NULL,
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  currency     TEXT NOT NULL CHECK (length(currency) = 3),
  created_at   TEXT NOT NULL
) STRICT;`;

export function openCharges(path: string): Charges {
  const db = new Database(path);
  db.execute(SCHEMA);
  const find = (key: string): Charge | undefined => {
    const row = db.get('SELECT * FROM charges WHERE key = :key', { key });
    return row === undefined ? undefined : chargeFromRow(row);
  };
  return {
    find,
    charge: (wanted, at) =>
      db.atomically(() => {
        const first = find(wanted.key);
        if (first !== undefined) {
          return isSame(first, wanted) ? { kind: 'again', charge: first } : { kind: 'conflict' };
        }
        const charge = { ...wanted, id: `ch_${randomUUID()}`, created_at: at.toISOString() };
        db.insert('charges', charge);
        return { kind: 'charged', charge };
      }),
    count: () => Number(db.get('SELECT count(*) AS n FROM charges')?.['n']),
    close: () => db.close(),
    [Symbol.dispose]: () => db.close(),
  };
}

function isSame(first: Charge, { card, amount_cents, currency }: NewCharge): boolean {
  return first.card === card && first.amount_cents === amount_cents && first.currency === currency;
}

function chargeFromRow(row: Row): Charge {
  return Object.freeze({ ...row }) as unknown as Charge; // true by the schema above
}
