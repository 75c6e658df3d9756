/** Calendars or address books on SQLite: texts by uid, written only under a condition. */
import type { Collection, CollectionProps, Collections, StoredText } from '../backend.ts';
import { conflict, found, stale } from '../refuse.ts';
import type { Database, Values } from '../../shared/database.ts';
import { toEtag } from './table.ts';

export interface CollectionKind {
  readonly kind: 'calendar' | 'address book';
  /** What one text in it is called. */
  readonly item: string;
}

const WHERE = 'user = :user AND kind = :kind';

export class EmbeddedCollections implements Collections {
  readonly #db: Database;
  readonly #own: { readonly user: string; readonly kind: string };
  readonly #kind: CollectionKind;

  constructor(db: Database, user: string, kind: CollectionKind) {
    this.#db = db;
    this.#own = { user, kind: kind.kind };
    this.#kind = kind;
  }

  async list(): Promise<readonly Collection[]> {
    const sql = `SELECT id, display_name, description, color FROM collections WHERE ${WHERE} ORDER BY id`;
    return this.#db.all(sql, this.#own) as unknown as readonly Collection[];
  }

  async create(id: string, props: CollectionProps): Promise<void> {
    const sql = `INSERT INTO collections (user, kind, id, display_name, description, color)
      VALUES (:user, :kind, :id, :display_name, :description, :color) ON CONFLICT DO NOTHING`;
    const { changes } = this.#db.run(sql, { ...this.#own, id, ...props });
    if (changes === 0) throw conflict(`The ${this.#kind.kind} ${id} exists already.`);
  }

  async update(id: string, changes: Partial<CollectionProps>): Promise<void> {
    this.#db.atomically(() => {
      this.#mustExist(id);
      for (const [column, value] of Object.entries(changes)) {
        const sql = `UPDATE collections SET ${column} = :value WHERE ${WHERE} AND id = :id`;
        this.#db.run(sql, { ...this.#own, id, value });
      }
    });
  }

  async remove(id: string): Promise<boolean> {
    const sql = `DELETE FROM collections WHERE ${WHERE} AND id = :id`;
    return this.#db.run(sql, { ...this.#own, id }).changes > 0;
  }

  async texts(id: string): Promise<readonly StoredText[]> {
    this.#mustExist(id);
    const sql = `SELECT uid, etag, text FROM collection_texts WHERE ${WHERE} AND collection = :id ORDER BY uid`;
    return this.#db.all(sql, { ...this.#own, id }) as unknown as readonly StoredText[];
  }

  async find(id: string, uid: string): Promise<StoredText | undefined> {
    return this.#find({ ...this.#own, id, uid });
  }

  async put(
    id: string,
    uid: string,
    text: string,
    condition: 'new' | { readonly etag: string },
  ): Promise<string> {
    const values = { ...this.#own, id, uid };
    return this.#db.atomically(() => {
      this.#mustExist(id);
      const before = this.#find(values);
      if (condition === 'new') {
        if (before !== undefined) throw conflict(`There is already a ${this.#kind.item} ${uid}.`);
      } else if (found(before, this.#kind.item, uid).etag !== condition.etag) {
        throw stale(this.#kind.item, uid, before?.etag ?? '');
      }
      const etag = toEtag(this.#kind.kind, id, uid, before?.etag ?? '', text);
      this.#db.run(
        `INSERT INTO collection_texts (user, kind, collection, uid, text, etag)
         VALUES (:user, :kind, :id, :uid, :text, :etag)
         ON CONFLICT DO UPDATE SET text = excluded.text, etag = excluded.etag`,
        { ...values, text, etag },
      );
      return etag;
    });
  }

  async removeText(id: string, uid: string, etag?: string): Promise<boolean> {
    const values = { ...this.#own, id, uid };
    const sql = `DELETE FROM collection_texts WHERE ${WHERE} AND collection = :id AND uid = :uid`;
    return this.#db.atomically(() => {
      const current = this.#find(values)?.etag;
      if (current !== undefined && etag !== undefined && current !== etag) {
        throw stale(this.#kind.item, uid, current);
      }
      return this.#db.run(sql, values).changes > 0;
    });
  }

  #find(values: Values): StoredText | undefined {
    const sql = `SELECT uid, etag, text FROM collection_texts WHERE ${WHERE} AND collection = :id AND uid = :uid`;
    return this.#db.get(sql, values) as unknown as StoredText | undefined;
  }

  #mustExist(id: string): void {
    const row = this.#db.get(`SELECT 1 FROM collections WHERE ${WHERE} AND id = :id`, {
      ...this.#own,
      id,
    });
    found(row, this.#kind.kind, id);
  }
}
