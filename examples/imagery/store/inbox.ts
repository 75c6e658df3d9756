/** Notifications, each for one person of one organisation. */
import type { Acting, Slice } from './acting.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow, newId } from './from-row.ts';

export interface Notification {
  readonly id: string;
  /** Such as `order.delivered`. */
  readonly kind: string;
  readonly title: string;
  /** The id of what it is about. */
  readonly subject: string;
  readonly created_at: string;
  readonly read_at: string | null;
}

const MINE = 'organization_id = :organisation AND user_id = :user AND dismissed_at IS NULL';

export class Inbox {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The acting user is the recipient. */
  add({ organisation, user, at }: Acting, kind: string, title: string, subject: string): void {
    this.#db.insert('notifications', {
      id: newId('ntf'),
      organization_id: organisation,
      user_id: user,
      kind,
      title,
      subject,
      created_at: at.toISOString(),
    });
  }

  /** Newest first. */
  list({ organisation, user }: Acting, slice: Slice, unreadOnly = false): readonly Notification[] {
    const rows = this.#db.all(
      `SELECT id, kind, title, subject, created_at, read_at FROM notifications
       WHERE ${MINE} ${unreadOnly ? 'AND read_at IS NULL' : ''}
       ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
      { organisation, user, ...slice },
    );
    return Object.freeze(rows.map((row) => fromRow(row) as Notification));
  }

  countUnread({ organisation, user }: Acting): number {
    const row = this.#db.get(
      `SELECT count(*) AS n FROM notifications WHERE ${MINE} AND read_at IS NULL`,
      { organisation, user },
    );
    return Number(row?.['n']);
  }

  /** Returns whether the notification exists; reading it twice keeps the first time. */
  markRead({ organisation, user, at }: Acting, id: string): boolean {
    const { changes } = this.#db.run(
      `UPDATE notifications SET read_at = coalesce(read_at, :at) WHERE id = :id AND ${MINE}`,
      { id, organisation, user, at: at.toISOString() },
    );
    return changes === 1;
  }

  markAllRead({ organisation, user, at }: Acting): number {
    return this.#db.run(
      `UPDATE notifications SET read_at = :at WHERE ${MINE} AND read_at IS NULL`,
      { organisation, user, at: at.toISOString() },
    ).changes;
  }

  /** Returns whether the notification exists, dismissed or not. */
  dismiss({ organisation, user, at }: Acting, id: string): boolean {
    const { changes } = this.#db.run(
      `UPDATE notifications SET dismissed_at = coalesce(dismissed_at, :at)
       WHERE id = :id AND organization_id = :organisation AND user_id = :user`,
      { id, organisation, user, at: at.toISOString() },
    );
    return changes === 1;
  }
}
