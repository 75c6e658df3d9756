/**
 * The processor's charges, in its own SQLite file. A key is valid for one charge forever; the same key
 * with another amount or card is an error, not a second charge.
 */
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

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
  const db = new DatabaseSync(path, { timeout: 5000 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  db.exec(SCHEMA);
  const byKey = db.prepare('SELECT * FROM charges WHERE key = :key');
  const counted = db.prepare('SELECT count(*) AS n FROM charges');
  const insert = db.prepare(
    `INSERT INTO charges (id, key, card, amount_cents, currency, created_at)
     VALUES (:id, :key, :card, :amount_cents, :currency, :created_at)`,
  );
  const find = (key: string): Charge | undefined => {
    const row = byKey.get({ key });
    return row === undefined ? undefined : (Object.freeze({ ...row }) as unknown as Charge); // true by the schema above
  };
  const close = (): void => {
    if (db.isOpen) db.close();
  };
  return {
    find,
    // One process owns the file, and nothing is awaited in between: no other charge can interleave.
    charge: (wanted, at) => {
      const first = find(wanted.key);
      if (first !== undefined) {
        return isSame(first, wanted) ? { kind: 'again', charge: first } : { kind: 'conflict' };
      }
      const charge = { ...wanted, id: `ch_${randomUUID()}`, created_at: at.toISOString() };
      insert.run(charge);
      return { kind: 'charged', charge };
    },
    count: () => Number(counted.get()?.['n']),
    close,
    [Symbol.dispose]: close,
  };
}

function isSame(first: Charge, { card, amount_cents, currency }: NewCharge): boolean {
  return first.card === card && first.amount_cents === amount_cents && first.currency === currency;
}
