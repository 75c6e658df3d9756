/** The file of an asset as it is downloaded: a GeoTIFF overview of a raster, or features as GeoJSON. */
import type { Bbox } from '../area.ts';
import { toGeometry } from '../area.ts';
import type { Asset } from '../item.ts';
import { reflectance } from '../raster.ts';
import { sizeOfGeoTiff, toGeoTiff } from './geotiff.ts';

export interface AssetFile {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export type FileFacts = Readonly<{ mediaType: string; size: number }>;

const SIDE = 128;
const WORLD: Bbox = [-180, -90, 180, 90];
const GEOTIFF = 'image/tiff; application=geotiff';

export function toAssetFile(asset: Asset, bbox: Bbox | null): AssetFile {
  if (!isRaster(asset)) return { mediaType: asset.media_type, bytes: toFeatures(asset, bbox) };
  const { id, band_names } = asset;
  const sampleAt = (band: number, row: number, column: number): number =>
    reflectance(id, band_names[band] ?? '', row, column, bbox ?? WORLD);
  return { mediaType: GEOTIFF, bytes: toGeoTiff({ ...shapeOf(asset, bbox), sampleAt }) };
}

/** What will be downloaded, without making it. */
export function describeAssetFile(asset: Asset, bbox: Bbox | null): FileFacts {
  return isRaster(asset)
    ? { mediaType: GEOTIFF, size: sizeOfGeoTiff(shapeOf(asset, bbox)) }
    : { mediaType: asset.media_type, size: toFeatures(asset, bbox).length };
}

function isRaster({ media_type }: Asset): boolean {
  return media_type.startsWith('image/');
}

function shapeOf({ band_names }: Asset, bbox: Bbox | null) {
  return { side: SIDE, bands: Math.max(1, band_names.length), bbox: bbox ?? WORLD };
}

function toFeatures({ id }: Asset, bbox: Bbox | null): Buffer {
  const outline = { type: 'Feature', id, properties: {}, geometry: toGeometry(bbox ?? WORLD) };
  return Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: [outline] }));
}
