/** Pictures of items as PNG files: map tiles in the scheme of web maps, and thumbnails. */
import { crc32, deflateSync } from 'node:zlib';
import { ProblemError } from 'plimsoll/server';
import type { Bbox } from '../area.ts';
import type { Asset, Item } from '../item.ts';
import { reflectance } from '../raster.ts';
import type { Handler, WebAnswer } from './route.ts';

const TILE_SIDE = 64;
const THUMBNAIL_SIDE = 96;
const DEEPEST_ZOOM = 22;
const WORLD: Bbox = [-180, -90, 180, 90];

export const tileOfItem: Handler = async ({ params, call }) => {
  const { assets } = await call<{ assets: readonly Asset[] }>('items.list_assets', {
    item_id: params['item_id'],
  });
  return toTile(assets[0], params);
};

export const thumbnailOfItem: Handler = async ({ params, call }) => {
  const { item } = await call<{ item: Item }>('items.get', { item_id: params['item_id'] });
  const { assets } = await call<{ assets: readonly Asset[] }>('items.list_assets', {
    item_id: item.id,
  });
  return toPicture(assets[0], THUMBNAIL_SIDE, item.bbox ?? WORLD);
};

export function toTile(
  asset: Asset | undefined,
  { z, x, y }: Readonly<Record<string, string>>,
): WebAnswer {
  const [zoom, column, row] = [z, x, y].map(Number);
  const isPlace = [zoom, column, row].every((each) => Number.isInteger(each) && Number(each) >= 0);
  const most = 2 ** Math.min(zoom ?? 0, DEEPEST_ZOOM);
  if (!isPlace || Number(zoom) > DEEPEST_ZOOM || Number(column) >= most || Number(row) >= most) {
    throw new ProblemError('not-found', 'There is no such tile.');
  }
  return toPicture(asset, TILE_SIDE, boxOfTile(most, Number(column), Number(row)));
}

function toPicture(asset: Asset | undefined, side: number, bbox: Bbox): WebAnswer {
  if (asset === undefined) throw new ProblemError('not-found', 'The item has no picture.');
  const { id, band_names } = asset;
  const [red = '', green = red, blue = green] = band_names;
  const shade = (band: string, row: number, column: number): number =>
    Math.min(255, Math.floor(reflectance(id, band, row, column, bbox) * 256));
  const colourAt = (row: number, column: number) =>
    [shade(red, row, column), shade(green, row, column), shade(blue, row, column)] as const;
  return { type: 'image/png', body: toPng(side, colourAt) };
}

/** In the Mercator projection that web maps use; `across` tiles go around the globe. */
function boxOfTile(across: number, column: number, row: number): Bbox {
  const longitude = (at: number): number => (at / across) * 360 - 180;
  const latitude = (at: number): number =>
    (Math.atan(Math.sinh(Math.PI * (1 - (2 * at) / across))) * 180) / Math.PI;
  return [longitude(column), latitude(row + 1), longitude(column + 1), latitude(row)];
}

type Colour = readonly [red: number, green: number, blue: number];

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BIT_DEPTH = 8;
const TRUE_COLOUR = 2;

/** A picture as a PNG file: eight bits for each of red, green and blue. */
function toPng(side: number, colourAt: (row: number, column: number) => Colour): Buffer {
  const rows: number[] = [];
  for (let row = 0; row < side; row += 1) {
    rows.push(0); // each row says how it is filtered, and none is
    for (let column = 0; column < side; column += 1) rows.push(...colourAt(row, column));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([BIT_DEPTH, TRUE_COLOUR], 8);
  return Buffer.concat([
    SIGNATURE,
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(Buffer.from(rows))),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
