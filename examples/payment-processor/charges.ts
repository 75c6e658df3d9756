/**
 * The processor's books, in its own SQLite file: charges, refunds, refusals and the keys that were given up. A key
 * is valid for one charge or refund forever, and a refused one stays refused; the same key with anything else is an
 * error, never a second one.
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

interface Refund {
  readonly id: string;
  readonly key: string;
  readonly charge_id: string;
  readonly amount_cents: number;
  readonly created_at: string;
}

export type NewCharge = Pick<Charge, 'key' | 'card' | 'amount_cents' | 'currency'>;
export type NewRefund = Pick<Refund, 'key' | 'charge_id' | 'amount_cents'>;

type Charging =
  | { readonly kind: 'charged' | 'again'; readonly charge: Charge }
  | { readonly kind: 'conflict' | 'voided' };

type Refunding =
  | { readonly kind: 'refunded' | 'again'; readonly refund: Refund }
  | { readonly kind: 'conflict' | 'no-charge' | 'too-much' };

export interface Charges extends Disposable {
  /** Committed to the disk when it returns. */
  charge(wanted: NewCharge, at: Date): Charging;
  refund(wanted: NewRefund, at: Date): Refunding;
  /** The charge under the key if there is one; otherwise there never will be. */
  giveUp(key: string, at: Date): Charge | undefined;
  find(key: string): Charge | undefined;
  findRefund(key: string): Refund | undefined;
  chargeById(id: string): Charge | undefined;
  /** What the key was refused with; the first reason stays. */
  refuse(key: string, reason: string, at: Date): string;
  refusalOf(key: string): string | undefined;
  count(): number;
  all(): { readonly charges: readonly Charge[]; readonly refunds: readonly Refund[] };
  /** The file, for what else the processor keeps in it. */
  readonly database: DatabaseSync;
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
) STRICT;
CREATE TABLE IF NOT EXISTS refunds (
  id           TEXT PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE CHECK (length(key) BETWEEN 1 AND 255),
  charge_id    TEXT NOT NULL REFERENCES charges (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  created_at   TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS voids (key TEXT PRIMARY KEY, created_at TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS refusals (
  key        TEXT PRIMARY KEY,
  reason     TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;`;

/** One process owns the file, and nothing is awaited in between, so that no two requests can interleave. */
export function openCharges(path: string): Charges {
  const db = new DatabaseSync(path, { timeout: 5000 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  db.exec(SCHEMA);
  const one = (sql: string, values: Record<string, string>): unknown => {
    const row = db.prepare(sql).get(values);
    return row === undefined ? undefined : Object.freeze({ ...row });
  };
  // The types below are true by the schema above.
  const find = (key: string) =>
    one('SELECT * FROM charges WHERE key = :key', { key }) as Charge | undefined;
  const findRefund = (key: string) =>
    one('SELECT * FROM refunds WHERE key = :key', { key }) as Refund | undefined;
  const chargeById = (id: string) =>
    one('SELECT * FROM charges WHERE id = :id', { id }) as Charge | undefined;
  const isVoid = (key: string) =>
    one('SELECT key FROM voids WHERE key = :key', { key }) !== undefined;
  const refusalOf = (key: string): string | undefined => {
    const row = db.prepare('SELECT reason FROM refusals WHERE key = :key').get({ key });
    return row === undefined ? undefined : String(row['reason']);
  };
  const refundedOf = (id: string): number =>
    Number(
      db
        .prepare('SELECT coalesce(sum(amount_cents), 0) AS n FROM refunds WHERE charge_id = :id')
        .get({ id })?.['n'],
    );
  const close = (): void => {
    if (db.isOpen) db.close();
  };
  return {
    database: db,
    find,
    findRefund,
    chargeById,
    charge: (wanted, at) => {
      const first = find(wanted.key);
      if (first !== undefined) {
        return isSame(first, wanted) ? { kind: 'again', charge: first } : { kind: 'conflict' };
      }
      if (isVoid(wanted.key)) return { kind: 'voided' };
      const charge = { ...wanted, id: `ch_${randomUUID()}`, created_at: at.toISOString() };
      db.prepare(
        `INSERT INTO charges (id, key, card, amount_cents, currency, created_at)
         VALUES (:id, :key, :card, :amount_cents, :currency, :created_at)`,
      ).run(charge);
      return { kind: 'charged', charge };
    },
    refund: (wanted, at) => {
      const first = findRefund(wanted.key);
      if (first !== undefined) {
        const { charge_id, amount_cents } = wanted;
        const isEqual = first.charge_id === charge_id && first.amount_cents === amount_cents;
        return isEqual ? { kind: 'again', refund: first } : { kind: 'conflict' };
      }
      const charge = chargeById(wanted.charge_id);
      if (charge === undefined) return { kind: 'no-charge' };
      if (refundedOf(charge.id) + wanted.amount_cents > charge.amount_cents) {
        return { kind: 'too-much' };
      }
      const refund = { ...wanted, id: `re_${randomUUID()}`, created_at: at.toISOString() };
      db.prepare(
        `INSERT INTO refunds (id, key, charge_id, amount_cents, created_at)
         VALUES (:id, :key, :charge_id, :amount_cents, :created_at)`,
      ).run(refund);
      return { kind: 'refunded', refund };
    },
    giveUp: (key, at) => {
      const charge = find(key);
      if (charge === undefined) {
        db.prepare('INSERT OR IGNORE INTO voids (key, created_at) VALUES (:key, :at)').run({
          key,
          at: at.toISOString(),
        });
      }
      return charge;
    },
    refuse: (key, reason, at) => {
      db.prepare('INSERT OR IGNORE INTO refusals VALUES (:key, :reason, :at)').run({
        key,
        reason,
        at: at.toISOString(),
      });
      return refusalOf(key) ?? reason;
    },
    refusalOf,
    count: () => Number(db.prepare('SELECT count(*) AS n FROM charges').get()?.['n']),
    all: () => ({
      charges: db.prepare('SELECT * FROM charges ORDER BY rowid').all() as unknown as Charge[],
      refunds: db.prepare('SELECT * FROM refunds ORDER BY rowid').all() as unknown as Refund[],
    }),
    close,
    [Symbol.dispose]: close,
  };
}

function isSame(first: Charge, { card, amount_cents, currency }: NewCharge): boolean {
  return first.card === card && first.amount_cents === amount_cents && first.currency === currency;
}
