/** Collections: groups of items within one project. */
import type { Acting } from './acting.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow, newId } from './from-row.ts';
import type { Events } from './events.ts';

export interface Collection {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly show_on_map: boolean;
  readonly layer_order: number;
  readonly item_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface CollectionFields {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly color?: string | null | undefined;
  readonly show_on_map?: boolean | undefined;
  readonly layer_order?: number | undefined;
}

const SELECT = `
  SELECT c.id, c.project_id, c.name, c.description, c.color, c.show_on_map, c.layer_order,
    (SELECT count(*) FROM items i WHERE i.collection_id = c.id) AS item_count,
    c.created_at, c.updated_at
  FROM collections c JOIN projects p ON p.id = c.project_id
  WHERE p.organization_id = :organisation`;

export class Collections {
  readonly #db: Database;
  readonly #events: Events;

  constructor(db: Database, events: Events) {
    this.#db = db;
    this.#events = events;
  }

  find(organisation: string, id: string): Collection | undefined {
    const row = this.#db.get(`${SELECT} AND c.id = :id`, { organisation, id });
    return row === undefined ? undefined : (fromRow(row, { flags: ['show_on_map'] }) as Collection);
  }

  list(organisation: string, projectId: string): readonly Collection[] {
    const rows = this.#db.all(
      `${SELECT} AND c.project_id = :projectId ORDER BY c.layer_order, c.seq`,
      { organisation, projectId },
    );
    return Object.freeze(rows.map((row) => fromRow(row, { flags: ['show_on_map'] }) as Collection));
  }

  create(acting: Acting, projectId: string, fields: CollectionFields): Collection {
    const at = acting.at.toISOString();
    const { name, description = null, color = null, show_on_map = true, layer_order = 0 } = fields;
    const row = { id: newId('col'), project_id: projectId, name, description, color, layer_order };
    return this.#db.atomically(() => {
      this.#db.insert('collections', {
        ...row,
        show_on_map: show_on_map ? 1 : 0,
        created_at: at,
        updated_at: at,
      });
      this.#events.record(acting, 'collection.created', row.id);
      return Object.freeze({ ...row, show_on_map, item_count: 0, created_at: at, updated_at: at });
    });
  }

  update(acting: Acting, id: string, changes: Partial<CollectionFields>): Collection | undefined {
    return this.#db.atomically(() => {
      const before = this.find(acting.organisation, id);
      if (before === undefined) return undefined;
      const { name = before.name, description = before.description } = changes;
      const { color = before.color, layer_order = before.layer_order } = changes;
      this.#db.run(
        `UPDATE collections SET name = :name, description = :description, color = :color,
           show_on_map = :show, layer_order = :layer_order, updated_at = :at WHERE id = :id`,
        {
          id,
          name,
          description,
          color,
          layer_order,
          show: (changes.show_on_map ?? before.show_on_map) ? 1 : 0,
          at: acting.at.toISOString(),
        },
      );
      this.#events.record(acting, 'collection.updated', id);
      return this.find(acting.organisation, id);
    });
  }

  /** Its items stay in the project, in no collection; links to it are deleted. */
  delete(acting: Acting, id: string): boolean {
    return this.#db.atomically(() => {
      if (this.find(acting.organisation, id) === undefined) return false;
      this.#db.run('UPDATE items SET collection_id = NULL WHERE collection_id = :id', { id });
      this.#db.run('DELETE FROM collections WHERE id = :id', { id });
      this.#events.record(acting, 'collection.deleted', id);
      return true;
    });
  }
}
