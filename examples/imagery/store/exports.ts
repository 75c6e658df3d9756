/** Exports: who exported which file. A one-time secret of the kit gives access to it. */
import type { Bbox } from '../area.ts';
import type { Asset } from '../item.ts';
import type { Acting } from './acting.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow, newId } from './from-row.ts';
import type { Events } from './events.ts';

/** A row of both. */
type Exported = Asset & { readonly bbox: Bbox | null };

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

  /** The asset and where it is; `undefined` once it was deleted. */
  find(exportId: string): { readonly asset: Asset; readonly bbox: Bbox | null } | undefined {
    const row = this.#db.get(
      `SELECT a.id, a.item_id, a.key, a.media_type, a.bytes, a.band_names, i.bbox
       FROM exports e JOIN assets a ON a.id = e.asset_id JOIN items i ON i.id = a.item_id
       WHERE e.id = :exportId`,
      { exportId },
    );
    if (row === undefined) return undefined;
    const { bbox, ...asset } = fromRow(row, { json: ['band_names', 'bbox'] }) as Exported;
    return Object.freeze({ asset, bbox });
  }
}
