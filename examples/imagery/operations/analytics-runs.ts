/** Analytics that use compute: within a budget of seconds per organisation and day, and free of charge. */
import type { Operation } from 'plimsoll/server';
import { computes, ProblemError } from 'plimsoll/server';
import * as z from 'zod';
import { fromAssetAddress } from '../asset-address.ts';
import { readFormula } from '../formula.ts';
import { findIndex } from '../indices.ts';
import type { Asset } from '../item.ts';
import { computeSeconds, statisticsOf } from '../raster.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account } from './facts.ts';
import { found, invalid, toBbox } from './refuse.ts';
import { bbox } from './schemas.ts';

const scopes = ['analytics:process'];

const raster = {
  cog_url: z.string().max(200).describe('The href of an asset, from items.list_assets'),
  bbox,
  max_size: z.int().min(1).max(8192).default(2048).describe('The most pixels per side'),
};

const number = z.number().nullable();

const RunOut = z.object({
  formula: z.string(),
  statistics: z.object({
    width: z.int(),
    height: z.int(),
    valid_pixels: z.int(),
    min: number,
    max: number,
    mean: number,
  }),
  compute_seconds: z.int(),
  compute_seconds_left_today: z.int(),
});

interface Wanted {
  readonly cog_url: string;
  readonly bbox: readonly number[];
  readonly max_size: number;
  readonly formula: string;
}

export function analyticsRunOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;

  function compute(caller: Caller, method: string, wanted: Wanted): z.input<typeof RunOut> {
    const { formula, max_size } = wanted;
    const area = toBbox(wanted.bbox);
    const asset = assetAt(wanted.cog_url, caller);
    const reading = readFormula(formula);
    if (reading.kind === 'invalid') return invalid('/formula', reading.reason);
    const missing = reading.bands.filter((band) => !asset.band_names.includes(band));
    if (missing.length > 0) return invalid('/cog_url', `It has no ${missing.join(', ')} band.`);
    const seconds = computeSeconds(max_size, reading.bands.length);
    const run = store.computeBudget.take(caller, method, seconds);
    if (run.kind === 'spent') return refuseSpent(seconds, run.left, caller.at);
    return {
      formula,
      statistics: statisticsOf(asset.id, reading.expression, area, max_size),
      compute_seconds: seconds,
      compute_seconds_left_today: run.left,
    };
  }

  /** Only the organisation's own assets: an address given by a caller is never fetched. */
  function assetAt(address: string, { organisation }: Caller): Asset {
    const id = fromAssetAddress(address);
    if (id === undefined) return invalid('/cog_url', 'Name an asset by its href.');
    return found(store.items.findAsset(organisation, id), 'asset', id);
  }

  return [
    declare(shop, {
      name: 'analytics.band_math',
      title: 'Run Band Math',
      description:
        'Evaluates a formula over the bands of an asset. Uses the compute budget of the day.',
      input: z.object({
        ...raster,
        formula: z.string().max(1000).describe('Such as (nir - red) / (nir + red)'),
      }),
      output: RunOut,
      effect: computes('raster', account),
      scopes,
      run: (input, caller) => compute(caller, 'band_math', input),
    }),

    declare(shop, {
      name: 'analytics.calculate_index',
      title: 'Calculate Spectral Index',
      description: 'Calculates a spectral index over an asset. Uses the compute budget of the day.',
      input: z.object({
        ...raster,
        index_name: z.string().max(40).describe('Which index, from analytics.indices.list'),
      }),
      output: RunOut,
      effect: computes('raster', account),
      scopes,
      run: ({ index_name, ...wanted }, caller) => {
        const { name, formula } = found(findIndex(index_name), 'index', index_name);
        return compute(caller, name, { ...wanted, formula });
      },
    }),
  ];
}

function refuseSpent(seconds: number, left: number, at: Date): never {
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1);
  const retryAfter = Math.ceil((midnight - at.getTime()) / 1000);
  const detail = `This takes ${seconds} compute seconds, and ${left} are left today.`;
  throw new ProblemError('rate-limited', detail, { retryAfter });
}
