/** What a vendor delivers for an order, as the items to create. Pure. */
import { areaKm2 } from '../area.ts';
import type { NewAsset, NewItem } from '../item.ts';
import type { Order } from '../order.ts';
import type { Scene } from '../scene.ts';
import type { Sensor } from '../sensors.ts';

export interface Delivered {
  readonly item: NewItem;
  readonly asset: NewAsset;
}

const BYTES_PER_SAMPLE = 2;
export const RASTER_TYPE = 'image/tiff; application=geotiff; profile=cloud-optimized';

export function toDelivery(
  order: Order,
  at: Date,
  sceneOf: (id: string) => Scene | undefined,
  sensorOf: (id: string) => Sensor | undefined,
): readonly Delivered[] {
  const { project_id, id } = order;
  // A project with open orders cannot be deleted, so there is one to deliver into.
  if (project_id === null) return [];
  const base = { project_id, order_id: id, type: 'satellite_capture' } as const;
  const archive = order.captures.map(({ scene_id, bbox }) => {
    const scene = sceneOf(scene_id);
    const sensor = sensorOf(scene?.sensorId ?? '');
    const item: NewItem = {
      ...base,
      name: scene_id,
      bbox,
      datetime: scene?.acquiredAt ?? null,
      cloud_cover: scene?.cloudCover ?? null,
      gsd: scene?.gsd ?? null,
      properties: { scene_id, sensor: scene?.sensorId ?? null },
    };
    return { item, asset: rasterOf(bbox, sensor) };
  });
  const tasking = order.groups.map(({ sensor_id, bbox }) => {
    const sensor = sensorOf(sensor_id);
    const item: NewItem = {
      ...base,
      name: `${sensor?.name ?? sensor_id}, new capture`,
      bbox,
      datetime: at.toISOString(),
      cloud_cover: 0,
      gsd: sensor?.gsd ?? null,
      properties: { sensor: sensor_id },
    };
    return { item, asset: rasterOf(bbox, sensor) };
  });
  return Object.freeze([...archive, ...tasking]);
}

function rasterOf(bbox: Parameters<typeof areaKm2>[0], sensor: Sensor | undefined): NewAsset {
  const bands = sensor?.bands ?? [];
  const pixels = (areaKm2(bbox) * 1e6) / (sensor?.gsd ?? 1) ** 2;
  return {
    key: 'data',
    media_type: RASTER_TYPE,
    bytes: Math.round(pixels * bands.length * BYTES_PER_SAMPLE),
    band_names: bands,
  };
}
