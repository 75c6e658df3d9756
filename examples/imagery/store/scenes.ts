/** Scenes on SQLite, found by place, time, cloud and sensor. Filled once; never changed. */
import type { Bbox } from '../area.ts';
import { splitBbox } from '../area.ts';
import type { Scene, ScenePage, ScenePlace, SceneQuery } from '../scene.ts';
import type { Database, Row } from '../../shared/database.ts';

export class Scenes {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(scene: Scene): void {
    const [west, south, east, north] = scene.footprint;
    this.#db.insert('scenes', {
      id: scene.id,
      vendor_id: scene.vendorId,
      sensor_id: scene.sensorId,
      west,
      south,
      east,
      north,
      acquired_at: scene.acquiredAt,
      cloud_cover: scene.cloudCover,
      gsd: scene.gsd,
      credits_per_km2: scene.creditsPerKm2,
    });
    for (const part of splitBbox(scene.footprint)) this.#addBox(scene.id, part);
  }

  find(id: string): Scene | undefined {
    const row = this.#db.get('SELECT * FROM scenes WHERE id = :id', { id });
    return row === undefined ? undefined : sceneFromRow(row);
  }

  /** Newest first; equal dates by id, so that no page repeats or skips a scene. */
  search(query: SceneQuery, limit: number, after?: ScenePlace): ScenePage {
    const [one, two] = query.bbox === undefined ? [] : splitBbox(query.bbox);
    const rows = this.#db.all(searchSql(query, after), {
      ...(one !== undefined && boxValues('a', one)),
      ...(one !== undefined && boxValues('b', two ?? one)),
      from: query.from ?? null,
      until: query.until ?? null,
      cloud: query.maxCloudCover ?? null,
      gsd: query.maxGsd ?? null,
      vendor: query.vendorId ?? null,
      sensors: JSON.stringify(query.sensorIds ?? []),
      ids: JSON.stringify(query.ids ?? []),
      after_at: after?.acquiredAt ?? null,
      after_id: after?.id ?? null,
      // One more than requested shows whether there is another page.
      limit: limit + 1,
    });
    const scenes = Object.freeze(rows.slice(0, limit).map(sceneFromRow));
    const last = scenes.at(-1);
    return Object.freeze({
      scenes,
      ...(rows.length > limit &&
        last !== undefined && { next: { acquiredAt: last.acquiredAt, id: last.id } }),
    });
  }

  #addBox(sceneId: string, [west, south, east, north]: Bbox): void {
    this.#db.run(
      `INSERT INTO scene_boxes
         (west, east, south, north, scene_id, exact_west, exact_east, exact_south, exact_north)
       VALUES (:west, :east, :south, :north, :scene, :west, :east, :south, :north)`,
      { scene: sceneId, west, south, east, north },
    );
  }
}

/** Only the requested conditions, so that each can use its index. */
function searchSql(query: SceneQuery, after: ScenePlace | undefined): string {
  const conditions = [
    query.bbox !== undefined &&
      `id IN (SELECT scene_id FROM scene_boxes WHERE ${within('a')} UNION
              SELECT scene_id FROM scene_boxes WHERE ${within('b')})`,
    query.from !== undefined && 'acquired_at >= :from',
    query.until !== undefined && 'acquired_at <= :until',
    query.maxCloudCover !== undefined && 'cloud_cover <= :cloud',
    query.maxGsd !== undefined && 'gsd <= :gsd',
    query.vendorId !== undefined && 'vendor_id = :vendor',
    query.sensorIds !== undefined && 'sensor_id IN (SELECT value FROM json_each(:sensors))',
    query.ids !== undefined && 'id IN (SELECT value FROM json_each(:ids))',
    after !== undefined && '(acquired_at, id) < (:after_at, :after_id)',
  ].filter((condition) => condition !== false);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return `SELECT * FROM scenes ${where} ORDER BY acquired_at DESC, id DESC LIMIT :limit`;
}

/** The tree narrows it down; the exact columns decide. */
function within(box: 'a' | 'b'): string {
  return ['', 'exact_']
    .map(
      (exact) => `${exact}west <= :${box}_east AND ${exact}east >= :${box}_west
        AND ${exact}south <= :${box}_north AND ${exact}north >= :${box}_south`,
    )
    .join(' AND ');
}

function boxValues(box: 'a' | 'b', [west, south, east, north]: Bbox): Record<string, number> {
  return {
    [`${box}_west`]: west,
    [`${box}_south`]: south,
    [`${box}_east`]: east,
    [`${box}_north`]: north,
  };
}

function sceneFromRow(row: Row): Scene {
  const number = (name: string) => Number(row[name]);
  return Object.freeze({
    id: String(row['id']),
    vendorId: String(row['vendor_id']),
    sensorId: String(row['sensor_id']),
    footprint: Object.freeze([
      number('west'),
      number('south'),
      number('east'),
      number('north'),
    ] as const),
    acquiredAt: String(row['acquired_at']),
    cloudCover: number('cloud_cover'),
    gsd: number('gsd'),
    creditsPerKm2: number('credits_per_km2'),
  });
}
