/** Exports: who exported which file. A one-time secret of the kit gives access to it. */
import type { Asset } from '../item.ts';
import type { Acting } from './acting.ts';
import type { Database } from './database.ts';
import { fromRow, newId } from './database.ts';
import type { Events } from './events.ts';

export class Exports {
  readonly #db: Database;
  readonly #events: Events;

  constructor(db: Database, events: Events) {
    this.#db = db;
    this.#events = events;
  }

  /** The id of the new export. */
  create(acting: Acting, assetId: string): string {
    const id = newId('exp');
    return this.#db.atomically(() => {
      this.#db.insert('exports', {
        id,
        organization_id: acting.organisation,
        asset_id: assetId,
        created_by: acting.user,
        created_at: acting.at.toISOString(),
      });
      this.#events.record(acting, 'export.created', id);
      return id;
    });
  }

  /** `undefined` once the asset was deleted. */
  assetOf(exportId: string): Asset | undefined {
    const row = this.#db.get(
      `SELECT a.id, a.item_id, a.key, a.media_type, a.bytes, a.band_names
       FROM exports e JOIN assets a ON a.id = e.asset_id WHERE e.id = :exportId`,
      { exportId },
    );
    return row === undefined ? undefined : (fromRow(row, { json: ['band_names'] }) as Asset);
  }
}
