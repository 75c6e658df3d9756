/**
 * Share links: anyone with the token, and the password if there is one, sees one item or collection
 * until the link expires.
 */
import type { Acting } from './acting.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow, newId } from './from-row.ts';
import type { Events } from './events.ts';

export interface ShareLink {
  readonly id: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly target_type: 'item' | 'collection';
  readonly target_id: string;
  readonly permission: 'view' | 'download';
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly created_by: string;
  readonly created_at: string;
}

export interface NewShareLink extends Pick<
  ShareLink,
  'project_id' | 'target_type' | 'target_id' | 'permission' | 'expires_at'
> {
  readonly token_hash: string;
  readonly password_hash: string | null;
}

/** A link with the hash of its password, if it has one. */
export interface LockedLink {
  readonly link: ShareLink;
  readonly passwordHash: string | null;
}

const COLUMNS = `id, organization_id, project_id,
  CASE WHEN item_id IS NULL THEN 'collection' ELSE 'item' END AS target_type,
  coalesce(item_id, collection_id) AS target_id, permission, expires_at, revoked_at, created_by, created_at`;

export class ShareLinks {
  readonly #db: Database;
  readonly #events: Events;

  constructor(db: Database, events: Events) {
    this.#db = db;
    this.#events = events;
  }

  find(organisation: string, id: string): ShareLink | undefined {
    const row = this.#db.get(
      `SELECT ${COLUMNS} FROM share_links WHERE organization_id = :organisation AND id = :id`,
      { organisation, id },
    );
    return row === undefined ? undefined : (fromRow(row) as ShareLink);
  }

  /** Newest first. */
  newest(organisation: string, limit: number): readonly ShareLink[] {
    const rows = this.#db.all(
      `SELECT ${COLUMNS} FROM share_links WHERE organization_id = :organisation
       ORDER BY seq DESC LIMIT :limit`,
      { organisation, limit },
    );
    return Object.freeze(rows.map((row) => fromRow(row) as ShareLink));
  }

  /** Of any organisation: the token grants access. */
  findByToken(tokenHash: string): LockedLink | undefined {
    const row = this.#db.get(
      `SELECT ${COLUMNS}, password_hash FROM share_links WHERE token_hash = :tokenHash`,
      { tokenHash },
    );
    if (row === undefined) return undefined;
    const { password_hash, ...link } = row;
    const passwordHash = typeof password_hash === 'string' ? password_hash : null;
    return Object.freeze({ link: fromRow(link) as ShareLink, passwordHash });
  }

  create(acting: Acting, fields: NewShareLink): ShareLink {
    const { target_type, target_id, ...rest } = fields;
    const id = newId('shr');
    return this.#db.atomically(() => {
      this.#db.insert('share_links', {
        id,
        organization_id: acting.organisation,
        item_id: target_type === 'item' ? target_id : null,
        collection_id: target_type === 'collection' ? target_id : null,
        created_by: acting.user,
        created_at: acting.at.toISOString(),
        ...rest,
      });
      this.#events.record(acting, 'share_link.created', id);
      const link = this.find(acting.organisation, id);
      if (link === undefined)
        throw new Error(`share link ${id} disappeared within its own transaction`);
      return link;
    });
  }

  /** Revokes permanently; returns whether the link exists. */
  revoke(acting: Acting, id: string): boolean {
    return this.#db.atomically(() => {
      const link = this.find(acting.organisation, id);
      if (link === undefined) return false;
      if (link.revoked_at !== null) return true;
      const at = acting.at.toISOString();
      this.#db.run('UPDATE share_links SET revoked_at = :at WHERE id = :id', { id, at });
      this.#events.record(acting, 'share_link.revoked', id);
      return true;
    });
  }
}
