/** Items: imagery of an organisation, with its files (assets). */
import type { Asset, Item, ItemChanges, ItemQuery, NewAsset, NewItem } from '../item.ts';
import type { Acting, Slice } from './acting.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow, newId } from './from-row.ts';
import type { Events } from './events.ts';

const COLUMNS = `i.id, i.project_id, i.collection_id, i.type, i.name, i.description, i.bbox, i.datetime,
  i.cloud_cover, i.gsd, i.properties, i.order_id, i.job_id, i.duplicated_from_id, i.created_by,
  i.created_at, i.updated_at`;
const FROM = `FROM items i JOIN projects p ON p.id = i.project_id
  WHERE p.organization_id = :organisation`;
const JSON_COLUMNS = ['bbox', 'properties'];
const ASSET_COLUMNS = 'a.id, a.item_id, a.key, a.media_type, a.bytes, a.band_names';

export class Items {
  readonly #db: Database;
  readonly #events: Events;

  constructor(db: Database, events: Events) {
    this.#db = db;
    this.#events = events;
  }

  find(organisation: string, id: string): Item | undefined {
    const row = this.#db.get(`SELECT ${COLUMNS} ${FROM} AND i.id = :id`, { organisation, id });
    return row === undefined ? undefined : (fromRow(row, { json: JSON_COLUMNS }) as Item);
  }

  /** Newest first. */
  list(organisation: string, query: ItemQuery, slice: Slice): readonly Item[] {
    const rows = this.#db.all(
      `SELECT ${COLUMNS} ${FROM} ${conditionsOf(query)} ORDER BY i.seq DESC LIMIT :limit OFFSET :offset`,
      { organisation, ...valuesOf(query), ...slice },
    );
    return Object.freeze(rows.map((row) => fromRow(row, { json: JSON_COLUMNS }) as Item));
  }

  count(organisation: string, query: ItemQuery): number {
    const row = this.#db.get(`SELECT count(*) AS n ${FROM} ${conditionsOf(query)}`, {
      organisation,
      ...valuesOf(query),
    });
    return Number(row?.['n']);
  }

  create(acting: Acting, fields: NewItem, assets: readonly NewAsset[] = []): Item {
    const at = acting.at.toISOString();
    const item: Item = Object.freeze({
      id: newId('itm'),
      project_id: fields.project_id,
      collection_id: fields.collection_id ?? null,
      type: fields.type,
      name: fields.name,
      description: fields.description ?? null,
      bbox: fields.bbox ?? null,
      datetime: fields.datetime ?? null,
      cloud_cover: fields.cloud_cover ?? null,
      gsd: fields.gsd ?? null,
      properties: fields.properties ?? {},
      order_id: fields.order_id ?? null,
      job_id: fields.job_id ?? null,
      duplicated_from_id: fields.duplicated_from_id ?? null,
      created_by: acting.user,
      created_at: at,
      updated_at: at,
    });
    return this.#db.atomically(() => {
      const bbox = item.bbox === null ? null : JSON.stringify(item.bbox);
      this.#db.insert('items', { ...item, bbox, properties: JSON.stringify(item.properties) });
      for (const asset of assets) this.#addAsset(item.id, asset);
      this.#events.record(acting, 'item.created', item.id);
      return item;
    });
  }

  update(acting: Acting, id: string, changes: ItemChanges): Item | undefined {
    return this.#db.atomically(() => {
      const before = this.find(acting.organisation, id);
      if (before === undefined) return undefined;
      const after = { ...before, ...changes };
      this.#db.run(
        `UPDATE items SET collection_id = :collection_id, name = :name, description = :description,
           properties = :properties, cloud_cover = :cloud_cover, gsd = :gsd, updated_at = :at
         WHERE id = :id`,
        {
          id,
          collection_id: after.collection_id,
          name: after.name,
          description: after.description,
          properties: JSON.stringify(after.properties),
          cloud_cover: after.cloud_cover,
          gsd: after.gsd,
          at: acting.at.toISOString(),
        },
      );
      this.#events.record(acting, 'item.updated', id);
      return this.find(acting.organisation, id);
    });
  }

  /** With its assets, and the links and exports that led to them. */
  delete(acting: Acting, id: string): boolean {
    return this.#db.atomically(() => {
      if (this.find(acting.organisation, id) === undefined) return false;
      this.#db.run('DELETE FROM items WHERE id = :id', { id });
      this.#events.record(acting, 'item.deleted', id);
      return true;
    });
  }

  assets(organisation: string, itemId: string): readonly Asset[] {
    const rows = this.#db.all(
      `SELECT ${ASSET_COLUMNS} FROM assets a JOIN items i ON i.id = a.item_id
       JOIN projects p ON p.id = i.project_id
       WHERE p.organization_id = :organisation AND a.item_id = :itemId ORDER BY a.key`,
      { organisation, itemId },
    );
    return Object.freeze(rows.map((row) => fromRow(row, { json: ['band_names'] }) as Asset));
  }

  findAsset(organisation: string, assetId: string): Asset | undefined {
    const row = this.#db.get(
      `SELECT ${ASSET_COLUMNS} FROM assets a JOIN items i ON i.id = a.item_id
       JOIN projects p ON p.id = i.project_id
       WHERE p.organization_id = :organisation AND a.id = :assetId`,
      { organisation, assetId },
    );
    return row === undefined ? undefined : (fromRow(row, { json: ['band_names'] }) as Asset);
  }

  #addAsset(itemId: string, { key, media_type, bytes, band_names }: NewAsset): void {
    const id = newId('ast');
    const bands = JSON.stringify(band_names);
    this.#db.insert('assets', { id, item_id: itemId, key, media_type, bytes, band_names: bands });
  }
}

function conditionsOf(query: ItemQuery): string {
  return [
    query.projectId !== undefined && 'i.project_id = :project',
    query.collectionId !== undefined && 'i.collection_id = :collection',
    query.uncollected === true && 'i.collection_id IS NULL',
    query.orderId !== undefined && 'i.order_id = :order',
    query.type !== undefined && 'i.type = :type',
    query.from !== undefined && 'i.datetime >= :from',
    query.until !== undefined && 'i.datetime <= :until',
  ]
    .filter((condition) => condition !== false)
    .map((condition) => `AND ${condition}`)
    .join(' ');
}

function valuesOf(query: ItemQuery): Record<string, string | null> {
  return {
    project: query.projectId ?? null,
    collection: query.collectionId ?? null,
    order: query.orderId ?? null,
    type: query.type ?? null,
    from: query.from ?? null,
    until: query.until ?? null,
  };
}
