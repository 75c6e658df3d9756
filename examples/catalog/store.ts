/**
 * The catalogue on SQLite: products, resolver rules and what users did. Fills itself with the
 * demonstration catalogue when it is new. Stores and finds; it decides nothing.
 */
import { DatabaseSync } from 'node:sqlite';

import type { Product } from './product.ts';
import type { ProductRow, Row, RuleRow } from './rows.ts';
import { productFromRow, rowFromProduct, rowFromRule, ruleFromRow } from './rows.ts';
import type { Rule } from './rule.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { makeCatalogue } from './seed.ts';

export type UserAction = Readonly<{
  id: number;
  /** ISO instant. */
  at: string;
  user: string;
  /** What was done, such as `qr_url.generated`. */
  action: string;
  gtin14: string;
  url: string;
}>;

/** Who owns a brand, by id and by the name that people know. */
export type Claimant = Readonly<{ id: string; name: string }>;

export interface Store extends Disposable {
  findProduct(gtin14: string): Product | undefined;
  /** The rules that can apply to one item, in no order; none for an unknown product. */
  findRules(item: {
    readonly gtin14: string;
    readonly lot?: string | undefined;
    readonly serial?: string | undefined;
  }): readonly Rule[];
  /** The organisation that has claimed the product, if any has. */
  findClaimant(gtin14: string): Claimant | undefined;
  /** Records that a user did something, each time that they do it. */
  recordUserAction(action: Omit<UserAction, 'id' | 'at'>, at: Date): UserAction;
  /** Newest first. */
  userActions(query?: {
    readonly user?: string | undefined;
    readonly limit?: number | undefined;
  }): readonly UserAction[];
  close(): void;
}

const MOST_USER_ACTIONS = 500;

/** `path` is a file, or `:memory:`. */
export function openStore(path: string): Store {
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;');
    prepareTables(db);
    return makeStore(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function makeStore(db: DatabaseSync): Store {
  const product = db.prepare(`
    SELECT p.*, b.name AS brand, o.name AS manufacturer
    FROM products p JOIN brands b ON b.id = p.brand_id JOIN organisations o ON o.id = b.organisation_id
    WHERE p.gtin14 = :gtin14`);
  const rules = db.prepare(`
    SELECT r.* FROM products p JOIN brands b ON b.id = p.brand_id JOIN resolver_rules r
      ON (r.gtin14 = p.gtin14 AND CASE r.scope
            WHEN 'serial' THEN r.qualifier = :serial WHEN 'batch' THEN r.qualifier = :lot ELSE 1 END)
      OR r.brand_id = b.id
      OR r.organisation_id = b.organisation_id
    WHERE p.gtin14 = :gtin14`);
  const claimant = db.prepare(`
    SELECT o.id, o.name
    FROM products p JOIN brands b ON b.id = p.brand_id JOIN organisations o ON o.id = b.organisation_id
    WHERE p.gtin14 = :gtin14 AND p.is_claimed = 1`);
  const addAction = db.prepare(`
    INSERT INTO user_actions (at, user, action, gtin14, url)
    VALUES (:at, :user, :action, :gtin14, :url) RETURNING *`);
  const actions = db.prepare(`
    SELECT * FROM user_actions WHERE :user IS NULL OR user = :user ORDER BY id DESC LIMIT :limit`);
  const close = () => {
    if (db.isOpen) db.close();
  };
  return {
    findProduct(gtin14) {
      const row = product.get({ gtin14 });
      return row === undefined ? undefined : productFromRow(row as ProductRow);
    },
    findRules({ gtin14, lot, serial }) {
      const rows = rules.all({ gtin14, lot: lot ?? null, serial: serial ?? null });
      return Object.freeze(rows.map((row) => ruleFromRow(row as RuleRow)));
    },
    findClaimant(gtin14) {
      const row = claimant.get({ gtin14 });
      return row === undefined ? undefined : Object.freeze({ ...row } as Claimant);
    },
    recordUserAction({ user, action, gtin14, url }, at) {
      const row = addAction.get({ at: at.toISOString(), user, action, gtin14, url });
      return Object.freeze({ ...row } as UserAction);
    },
    userActions({ user, limit = 50 } = {}) {
      const rows = actions.all({
        user: user ?? null,
        limit: Math.min(Math.max(Math.trunc(limit), 0), MOST_USER_ACTIONS),
      });
      return Object.freeze(rows.map((row) => Object.freeze({ ...row } as UserAction)));
    },
    close,
    [Symbol.dispose]: close,
  };
}

/** All or nothing, and only one of several processes that open a new file at the same time. */
function prepareTables(db: DatabaseSync): void {
  if (versionOf(db) === SCHEMA_VERSION) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(db);
    if (version === 0) {
      db.exec(SCHEMA);
      fill(db);
      db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    } else if (version !== SCHEMA_VERSION) {
      throw new Error(`this catalogue has version ${version}; delete the file to start over`);
    }
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function fill(db: DatabaseSync): void {
  const { organisations, brands, products, rules } = makeCatalogue();
  insertAll(
    db,
    'organisations',
    organisations.map(({ id, name, domain }) => ({ id, name, domain })),
  );
  insertAll(
    db,
    'brands',
    brands.map(({ id, organisationId, name }) => ({ id, organisation_id: organisationId, name })),
  );
  insertAll(db, 'products', products.map(rowFromProduct));
  insertAll(db, 'resolver_rules', rules.map(rowFromRule));
}

/** Table and column names come from this program, never from a request. */
function insertAll(db: DatabaseSync, table: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const values = columns.map((column) => `:${column}`).join(', ');
  const insert = db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values})`);
  for (const row of rows) insert.run(row);
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}
