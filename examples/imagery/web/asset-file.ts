/** The file of an asset as it is downloaded: a GeoTIFF overview of a raster, or features as GeoJSON. */
import type { Bbox } from '../area.ts';
import { toGeometry } from '../area.ts';
import type { Asset } from '../item.ts';
import { reflectance } from '../raster.ts';

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

interface Raster {
  readonly side: number;
  readonly bands: number;
  readonly bbox: Bbox;
  /** From 0 to 1. */
  readonly sampleAt: (band: number, row: number, column: number) => number;
}

type Field = readonly [tag: number, type: 'short' | 'long' | 'double', values: readonly number[]];

const TYPES = {
  short: { code: 3, bytes: 2 },
  long: { code: 4, bytes: 4 },
  double: { code: 12, bytes: 8 },
};
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

/** GeoTIFF keys: geographic coordinates, a pixel is an area, EPSG:4326. */
const GEO_KEYS = [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326];

/** One strip, bytes pixel by pixel, in longitude and latitude (EPSG:4326). */
function toGeoTiff(raster: Raster): Buffer {
  const { side, bands, sampleAt } = raster;
  const pixels = Buffer.alloc(side * side * bands);
  for (let at = 0; at < pixels.length; at += 1) {
    const [band, pixel] = [at % bands, Math.floor(at / bands)];
    const sample = sampleAt(band, Math.floor(pixel / side), pixel % side);
    pixels[at] = Math.min(255, Math.floor(sample * 256));
  }
  return Buffer.concat([toHead(raster), pixels]);
}

/** The size of the file, without making it. */
function sizeOfGeoTiff(raster: Pick<Raster, 'side' | 'bands' | 'bbox'>): number {
  return toHead(raster).length + raster.side ** 2 * raster.bands;
}

function toHead({ side, bands, bbox }: Pick<Raster, 'side' | 'bands' | 'bbox'>): Buffer {
  const [west, south, east, north] = bbox;
  const width = (east > west ? east - west : east + 360 - west) / side;
  const fieldsFor = (pixelsAt: number): readonly Field[] => [
    [256, 'long', [side]],
    [257, 'long', [side]],
    [258, 'short', Array.from({ length: bands }, () => 8)],
    [259, 'short', [1]],
    [262, 'short', [1]],
    [273, 'long', [pixelsAt]],
    [277, 'short', [bands]],
    [278, 'long', [side]],
    [279, 'long', [side * side * bands]],
    [284, 'short', [1]],
    ...(bands > 1 ? [[338, 'short', Array.from({ length: bands - 1 }, () => 0)] as const] : []),
    [33_550, 'double', [width, (north - south) / side, 0]],
    [33_922, 'double', [0, 0, 0, west, north, 0]],
    [34_735, 'short', GEO_KEYS],
  ];
  // Where the pixels begin does not change how long the head is.
  return toDirectory(fieldsFor(toDirectory(fieldsFor(0)).length));
}

/** The header and the one directory, with the values that do not fit into their entries behind it. */
function toDirectory(fields: readonly Field[]): Buffer {
  const directory = Buffer.alloc(HEADER_BYTES + 2 + fields.length * ENTRY_BYTES + 4);
  directory.write('II', 0, 'latin1');
  directory.writeUInt16LE(42, 2);
  directory.writeUInt32LE(HEADER_BYTES, 4);
  directory.writeUInt16LE(fields.length, HEADER_BYTES);
  const behind: Buffer[] = [];
  let end = directory.length;
  for (const [index, [tag, type, values]] of fields.entries()) {
    const at = HEADER_BYTES + 2 + index * ENTRY_BYTES;
    const data = toBytes(type, values);
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(TYPES[type].code, at + 2);
    directory.writeUInt32LE(values.length, at + 4);
    if (data.length <= 4) data.copy(directory, at + 8);
    else {
      directory.writeUInt32LE(end, at + 8);
      behind.push(data);
      end += data.length;
    }
  }
  return Buffer.concat([directory, ...behind]);
}

function toBytes(type: Field[1], values: readonly number[]): Buffer {
  const { bytes } = TYPES[type];
  const data = Buffer.alloc(values.length * bytes);
  for (const [index, value] of values.entries()) {
    if (type === 'short') data.writeUInt16LE(value, index * bytes);
    else if (type === 'long') data.writeUInt32LE(value, index * bytes);
    else data.writeDoubleLE(value, index * bytes);
  }
  return data;
}
