/**
 * Cards on file: a browser turns card data into a token that lives for 15 minutes, and a shop turns the token
 * into a card, once. No card number is ever seen; a card is one of the test cards.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { CARDS } from './cards.ts';

export interface KeptCard {
  readonly id: string;
  readonly brand: string;
  readonly last4: string;
}

const TOKEN_LIFE_MS = 15 * 60_000;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS captures (
  token      TEXT PRIMARY KEY,
  card       TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  key        TEXT,
  card_id    TEXT UNIQUE
) STRICT;`;

export class Vault {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(SCHEMA);
  }

  capture(card: string, at: Date): string | undefined {
    if (!Object.hasOwn(CARDS, card)) return undefined;
    const token = `cct_${randomBytes(24).toString('hex')}`;
    const expires_at = new Date(at.getTime() + TOKEN_LIFE_MS).toISOString();
    this.#db
      .prepare('INSERT INTO captures (token, card, expires_at) VALUES (:token, :card, :expires_at)')
      .run({ token, card, expires_at });
    return token;
  }

  /** The card for a token, the same one for every try under one key. */
  keep(token: string, key: string, at: Date): KeptCard | undefined {
    const row = this.#db.prepare('SELECT * FROM captures WHERE token = :token').get({ token });
    if (row === undefined) return undefined;
    if (row['card_id'] !== null) {
      return row['key'] === key ? toCard(String(row['card_id']), String(row['card'])) : undefined;
    }
    if (String(row['expires_at']) <= at.toISOString()) return undefined;
    const id = `crd_${randomUUID()}`;
    this.#db
      .prepare('UPDATE captures SET key = :key, card_id = :id WHERE token = :token')
      .run({ key, id, token });
    return toCard(id, String(row['card']));
  }

  /** The test card behind a card on file; test cards stand for themselves. */
  testCard(card: string): string {
    const row = this.#db.prepare('SELECT card FROM captures WHERE card_id = :card').get({ card });
    return row === undefined ? card : String(row['card']);
  }

  /** The bank changes its mind about a card, named by its id or by the token that it was made from. */
  change(id: string, card: string): boolean {
    if (!Object.hasOwn(CARDS, card)) return false;
    const { changes } = this.#db
      .prepare('UPDATE captures SET card = :card WHERE card_id = :id OR token = :id')
      .run({ card, id });
    return Number(changes) === 1;
  }
}

function toCard(id: string, card: string): KeptCard {
  const brand = /^card_(mastercard|amex|discover)/.exec(card)?.[1] ?? 'visa';
  return { id, brand, last4: brand === 'amex' ? '0005' : '4242' };
}
