/** Files: an exported asset for whoever has its signed address, once, and reports. */
import { ProblemError } from 'plimsoll/server';
import type { Bbox } from '../area.ts';
import type { Asset } from '../item.ts';
import { toAssetFile } from './asset-file.ts';
import type { Handler, WebAnswer } from './route.ts';
import { isSigned } from './sign-url.ts';

export interface Exported {
  readonly asset: Asset;
  readonly bbox: Bbox | null;
}

interface ExportOptions {
  /** What a secret opens, the first time only. */
  readonly redeem: (secret: string) => Promise<Exported | undefined>;
  readonly signingKey: Buffer;
  readonly now: () => Date;
}

/** Altered, used, expired, mistyped and deleted look the same. */
export function downloadOfExport({ redeem, signingKey, now }: ExportOptions): Handler {
  return async ({ url, params }) => {
    const isGenuine = isSigned(url, now(), signingKey);
    const opened = isGenuine ? await redeem(params['secret'] ?? '') : undefined;
    if (opened === undefined) {
      throw new ProblemError('not-found', 'There is nothing here, or it has been downloaded.');
    }
    return toDownload(opened);
  };
}

export function toDownload({ asset, bbox }: Exported): WebAnswer {
  const { mediaType, bytes } = toAssetFile(asset, bbox);
  const extension = mediaType.startsWith('image/tiff') ? 'tif' : 'geojson';
  const headers = { 'content-disposition': `attachment; filename="${asset.id}.${extension}"` };
  return { type: mediaType, body: bytes, headers };
}

interface Month {
  readonly month: string;
  readonly credits_charged: number;
}

export const usageReport: Handler = async ({ url, call }) => {
  const months = url.searchParams.get('months');
  const history = await call<{ months: readonly Month[] }>('usage.history', {
    organization_id: url.searchParams.get('organization_id') ?? '',
    ...(months !== null && { months: Number(months) }),
  });
  const lines = history.months.map(({ month, credits_charged }) => `${month},${credits_charged}`);
  const headers = { 'content-disposition': 'attachment; filename="usage.csv"' };
  const body = ['month,credits_charged', ...lines].map((line) => `${line}\r\n`).join('');
  return { type: 'text/csv', body, headers };
};
