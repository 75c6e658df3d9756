/** The result of a job: the item to create, or why there is none. Pure. */
import type { Asset, Item } from '../item.ts';
import type { Job } from '../job.ts';
import type { Process } from '../processes.ts';
import type { Delivered } from './delivery.ts';
import { RASTER_TYPE } from './delivery.ts';

/** Why a process fails on an item, if it does. */
export function failureOf(
  process: Process | undefined,
  item: Item | undefined,
): string | undefined {
  if (item === undefined) return 'The item was deleted.';
  const cover = item.cloud_cover ?? 0;
  if (process === undefined || cover <= process.maxCloudCover) return undefined;
  return `The item is ${cover}% cloudy; ${process.name} needs ${process.maxCloudCover}% or less.`;
}

export function toJobResult(
  job: Job,
  item: Item,
  assets: readonly Asset[],
  process: Process,
): Delivered {
  const isRaster = process.produces === 'derived_raster';
  const { project_id, bbox, datetime, cloud_cover, gsd } = item;
  return {
    item: {
      project_id,
      type: process.produces,
      name: `${item.name}, ${process.name}`.slice(0, 500),
      bbox,
      datetime,
      cloud_cover,
      gsd,
      job_id: job.id,
      properties: { process: process.id, source_item_id: item.id },
    },
    asset: {
      key: 'data',
      media_type: isRaster ? RASTER_TYPE : 'application/geo+json',
      bytes: Math.round(job.megapixels * 1e6),
      band_names: isRaster ? (assets[0]?.band_names ?? []) : [],
    },
  };
}
