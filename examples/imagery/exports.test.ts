/** Exports over real HTTP: a signed address that gives the file itself, once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestShop } from './test-shop.ts';
import { deliveredItem, MINUTE, openTestShop, SAMPLE_CAPTURE } from './test-shop.ts';

let shop: TestShop;
let itemId: string;
let assetId: string;

beforeAll(async () => {
  shop = await openTestShop();
  ({ itemId, assetId } = await deliveredItem(shop));
});

afterAll(() => shop[Symbol.asyncDispose]());

describe('an export', () => {
  const download = () => shop.call('items.asset.download', { item_id: itemId, asset_id: assetId });

  it('R149: its address works once, for whoever has it, and gives the file itself', async () => {
    const { body } = await download();
    const fetched = await fetch(String(body['url']));
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([
      200,
      body['media_type'],
    ]);
    const bytes = Buffer.from(await fetched.arrayBuffer());
    expect(bytes.length).toBe(body['bytes']);
    expect(readTiff(bytes)).toEqual({
      width: 128,
      height: 128,
      bands: shop.store.items.assets('org_reef', itemId)[0]?.band_names.length,
      west: SAMPLE_CAPTURE.bbox[0],
      north: SAMPLE_CAPTURE.bbox[3],
      end: bytes.length,
    });
    expect((await fetch(String(body['url']))).status).toBe(404);
  });

  it('has an address that is signed: altered or expired, it opens nothing', async () => {
    const { body } = await download();
    const url = new URL(String(body['url']));
    const altered = new URL(url);
    altered.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 3600));
    const unsigned = new URL(url.pathname, url);
    for (const wrong of [altered, unsigned]) expect((await fetch(wrong)).status).toBe(404);
    const { body: late } = await download();
    shop.pass(11 * MINUTE);
    expect((await fetch(String(late['url']))).status).toBe(404);
  });

  it('is fetched by one of many who try at once', async () => {
    const { body } = await shop.call('items.asset.download', {
      item_id: itemId,
      asset_id: assetId,
    });
    const tries = await Promise.all(
      Array.from({ length: 10 }, async () => (await fetch(String(body['url']))).status),
    );
    expect(tries.filter((status) => status === 200)).toHaveLength(1);
  });

  it('serves no secret of another kind, and nothing that is gone', async () => {
    const { body } = await shop.call('items.duplicate', { item_id: itemId });
    const copy = body['id'];
    const { body: listed } = await shop.call('items.list_assets', { item_id: copy });
    const [asset] = listed['assets'] as readonly { id: string }[];
    const taken = await shop.call('items.asset.download', { item_id: copy, asset_id: asset?.id });
    const url = new URL(String(taken.body['url']));
    const other = await shop.call('api_keys.create', { name: 'x' });
    expect((await fetch(new URL(`/exports/${String(other.body['key'])}`, url))).status).toBe(404);
    await shop.call('items.delete', { item_id: copy });
    expect((await fetch(url)).status).toBe(404);
  });
});

/** What the directory of a GeoTIFF says, as a reader of such files would take it. */
function readTiff(bytes: Buffer): object {
  expect(bytes.toString('latin1', 0, 2)).toBe('II');
  expect(bytes.readUInt16LE(2)).toBe(42);
  const start = bytes.readUInt32LE(4);
  const entries = Array.from({ length: bytes.readUInt16LE(start) }, (_, index) => {
    const at = start + 2 + index * 12;
    return [bytes.readUInt16LE(at), at + 8] as const;
  });
  const places = new Map(entries);
  const long = (tag: number) => bytes.readUInt32LE(places.get(tag));
  const tiepoint = long(33_922);
  return {
    width: long(256),
    height: long(257),
    bands: bytes.readUInt16LE(places.get(277)),
    west: bytes.readDoubleLE(tiepoint + 24),
    north: bytes.readDoubleLE(tiepoint + 32),
    end: long(273) + long(279),
  };
}
