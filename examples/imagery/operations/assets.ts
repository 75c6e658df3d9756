/** The files of an item, and exporting one. */
import type { Operation } from 'plimsoll/server';
import { reads, shares } from 'plimsoll/server';
import * as z from 'zod';
import { toAssetAddress } from '../asset-address.ts';
import { describeAssetFile } from '../web/asset-file.ts';
import { signUrl } from '../web/sign-url.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, final, outside } from './facts.ts';
import { found, foundItem } from './refuse.ts';
import { assetId, AssetOut, itemId } from './schemas.ts';

const scopes = ['items:read'];

const EXPORT_SECONDS = 600;

/** Converts between an export and the subject of its secret. */
const SUBJECT = 'export ';
const toExportSubject = (exportId: string): string => SUBJECT + exportId;
export const fromExportSubject = (subject: string): string | undefined =>
  subject.startsWith(SUBJECT) ? subject.slice(SUBJECT.length) : undefined;

export function assetOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'items.list_assets',
      title: 'List Item Assets',
      description: 'Lists the files of an item, with their bands and addresses for analytics.',
      input: z.object({ item_id: itemId }),
      output: z.object({ assets: z.array(AssetOut) }),
      effect: reads('asset', account),
      scopes,
      run: ({ item_id }, { organisation }) => {
        foundItem(store, organisation, item_id);
        const assets = store.items.assets(organisation, item_id);
        return { assets: assets.map((asset) => ({ ...asset, href: toAssetAddress(asset.id) })) };
      },
    }),

    declare(shop, {
      name: 'items.asset.download',
      title: 'Download Asset',
      description:
        'Returns a signed URL from which anyone who has it can download the file once, within ten minutes. It is shown only once, here.',
      input: z.object({ item_id: itemId, asset_id: assetId }),
      output: z.object({
        export_id: z.string(),
        url: z.string(),
        expires_at: z.string(),
        media_type: z.string(),
        bytes: z.int(),
      }),
      effect: shares('asset', { ...outside, ...final, secrets: ['url'] }),
      scopes,
      run: async ({ item_id, asset_id }, caller) => {
        const { bbox } = foundItem(store, caller.organisation, item_id);
        const asset = found(
          store.items.assets(caller.organisation, item_id).find(({ id }) => id === asset_id),
          'asset',
          asset_id,
        );
        const base = await shop.web();
        const exportId = store.exports.create(caller, asset.id);
        const file = describeAssetFile(asset, bbox);
        const expiresAt = new Date(caller.at.getTime() + EXPORT_SECONDS * 1000);
        const { secret } = await caller.secrets().mint({
          prefix: 'export',
          subject: toExportSubject(exportId),
          ttlSeconds: EXPORT_SECONDS,
        });
        return {
          export_id: exportId,
          url: signUrl(base, `/exports/${secret.reveal()}`, expiresAt, shop.signingKey),
          expires_at: expiresAt.toISOString(),
          media_type: file.mediaType,
          bytes: file.size,
        };
      },
    }),
  ];
}
