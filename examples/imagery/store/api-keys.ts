/** API keys of an organisation, by their digests. */
import type { Acting } from './acting.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow, newId } from './from-row.ts';
import type { Events } from './events.ts';

export interface ApiKey {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  /** The first letters of the key, by which people distinguish keys. */
  readonly prefix: string;
  readonly permissions: readonly string[];
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly created_by: string;
  readonly created_at: string;
}

export interface NewApiKey extends Pick<ApiKey, 'name' | 'prefix' | 'permissions' | 'expires_at'> {
  readonly hash: string;
}

const COLUMNS = `id, organization_id, name, prefix, permissions, expires_at, revoked_at, created_by,
  created_at`;
const SHAPE = { json: ['permissions'] };

export class ApiKeys {
  readonly #db: Database;
  readonly #events: Events;

  constructor(db: Database, events: Events) {
    this.#db = db;
    this.#events = events;
  }

  /** Newest first, revoked ones too. */
  list(organisation: string): readonly ApiKey[] {
    const rows = this.#db.all(
      `SELECT ${COLUMNS} FROM api_keys WHERE organization_id = :organisation ORDER BY seq DESC`,
      { organisation },
    );
    return Object.freeze(rows.map((row) => fromRow(row, SHAPE) as ApiKey));
  }

  /** A key that is not revoked; the caller must check its expiry. */
  findByHash(hash: string): ApiKey | undefined {
    const row = this.#db.get(
      `SELECT ${COLUMNS} FROM api_keys WHERE hash = :hash AND revoked_at IS NULL`,
      { hash },
    );
    return row === undefined ? undefined : (fromRow(row, SHAPE) as ApiKey);
  }

  create(acting: Acting, { hash, ...fields }: NewApiKey): ApiKey {
    const key: ApiKey = Object.freeze({
      id: newId('key'),
      organization_id: acting.organisation,
      ...fields,
      revoked_at: null,
      created_by: acting.user,
      created_at: acting.at.toISOString(),
    });
    return this.#db.atomically(() => {
      const permissions = JSON.stringify(key.permissions);
      this.#db.insert('api_keys', { ...key, permissions, hash });
      this.#events.record(acting, 'api_key.created', key.id);
      return key;
    });
  }

  /** Revokes permanently; returns whether the key exists. */
  revoke(acting: Acting, id: string): boolean {
    return this.#db.atomically(() => {
      const key = this.list(acting.organisation).find((each) => each.id === id);
      if (key === undefined) return false;
      if (key.revoked_at !== null) return true;
      const at = acting.at.toISOString();
      this.#db.run('UPDATE api_keys SET revoked_at = :at WHERE id = :id', { id, at });
      this.#events.record(acting, 'api_key.revoked', id);
      return true;
    });
  }
}
