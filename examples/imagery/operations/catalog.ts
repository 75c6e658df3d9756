/** Finding imagery: what vendors have in their archives. */
import type { Operation } from 'plimsoll/server';
import { reads } from 'plimsoll/server';
import * as z from 'zod';
import { toGeometry } from '../area.ts';
import type { Scene, ScenePlace } from '../scene.ts';
import { findSensor, findVendor, SENSORS, VENDORS } from '../sensors.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { platform, vendor } from './facts.ts';
import { invalid, toBbox, toInterval } from './refuse.ts';
import { bbox, datetime, limitOf } from './schemas.ts';

const scopes = ['catalog:read'];

const SceneOut = z.object({
  type: z.literal('Feature'),
  id: z.string(),
  bbox: z.array(z.number()).readonly(),
  geometry: z.object({ type: z.string(), coordinates: z.unknown() }),
  properties: z.object({
    datetime: z.string(),
    vendor: z.string(),
    sensor: z.string(),
    'eo:cloud_cover': z.number(),
    gsd: z.number(),
    credits_per_km2: z.int(),
  }),
});

const AtMost = z.object({ lte: z.number() });

export function catalogOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'catalog.search',
      title: 'Search Imagery Catalog',
      description:
        'Finds scenes in one archive by place, time, cloud cover and sensor, newest first. Each has its price.',
      input: z.object({
        host_name: z.string().max(80).describe('Which archive, from catalog.sources.list'),
        bbox: bbox.optional().describe('Where: west, south, east, north; west may exceed east'),
        datetime: datetime.optional(),
        collections: z.array(z.string()).max(20).optional().describe('Only these sensors'),
        ids: z.array(z.string()).max(500).optional().describe('Only these scenes'),
        query: z
          .object({ 'eo:cloud_cover': AtMost.optional(), gsd: AtMost.optional() })
          .strict()
          .optional()
          .describe('Upper bounds, as {"eo:cloud_cover":{"lte":20}}'),
        limit: limitOf(100),
        next: z.string().max(200).optional().describe('Where to continue, from the previous page'),
      }),
      output: z.object({
        type: z.literal('FeatureCollection'),
        features: z.array(SceneOut).readonly(),
        numberReturned: z.int(),
        next: z.string().nullable(),
      }),
      effect: reads('scene', vendor),
      scopes,
      run: (input) => {
        const archive = findVendor(input.host_name);
        if (archive === undefined) return invalid('/host_name', 'No such archive.');
        const page = store.scenes.search(
          {
            vendorId: archive.id,
            bbox: input.bbox === undefined ? undefined : toBbox(input.bbox),
            ...toInterval(input.datetime),
            sensorIds: input.collections,
            ids: input.ids,
            maxCloudCover: input.query?.['eo:cloud_cover']?.lte,
            maxGsd: input.query?.gsd?.lte,
          },
          input.limit,
          input.next === undefined ? undefined : toPlace(input.next),
        );
        return {
          type: 'FeatureCollection' as const,
          features: page.scenes.map(toFeature),
          numberReturned: page.scenes.length,
          next: page.next === undefined ? null : fromPlace(page.next),
        };
      },
    }),

    declare(shop, {
      name: 'catalog.sources.list',
      title: 'List Sources',
      description: 'Lists the archives that can be searched, with their sensors.',
      input: z.object({
        data_type: z.enum(['optical', 'radar']).optional().describe('Only sensors of this kind'),
        country: z.string().length(2).optional().describe('Only vendors of this country'),
      }),
      output: z.object({
        sources: z.array(
          z.object({
            host_name: z.string(),
            name: z.string(),
            country: z.string(),
            collections: z.array(z.object({ id: z.string(), name: z.string(), gsd: z.number() })),
          }),
        ),
      }),
      effect: reads('source', platform),
      scopes,
      run: ({ data_type, country }) => ({
        sources: VENDORS.filter((each) => country === undefined || each.country === country)
          .map(({ id, host, name, country: home }) => ({
            host_name: host,
            name,
            country: home,
            collections: SENSORS.filter(
              ({ vendorId, kind }) =>
                vendorId === id && (data_type === undefined || kind === data_type),
            ).map((sensor) => ({ id: sensor.id, name: sensor.name, gsd: sensor.gsd })),
          }))
          .filter(({ collections }) => collections.length > 0),
      }),
    }),

    declare(shop, {
      name: 'catalog.vendors.list',
      title: 'List Vendors',
      description: 'Lists the vendors of imagery.',
      input: z.object({}),
      output: z.object({
        vendors: z.array(z.object({ id: z.string(), name: z.string(), country: z.string() })),
      }),
      effect: reads('vendor', platform),
      scopes,
      run: () => ({ vendors: VENDORS.map(({ id, name, country }) => ({ id, name, country })) }),
    }),
  ];
}

function toFeature(scene: Scene): z.input<typeof SceneOut> {
  return {
    type: 'Feature',
    id: scene.id,
    bbox: scene.footprint,
    geometry: toGeometry(scene.footprint),
    properties: {
      datetime: scene.acquiredAt,
      vendor: scene.vendorId,
      sensor: findSensor(scene.sensorId)?.id ?? scene.sensorId,
      'eo:cloud_cover': scene.cloudCover,
      gsd: scene.gsd,
      credits_per_km2: scene.creditsPerKm2,
    },
  };
}

function fromPlace({ acquiredAt, id }: ScenePlace): string {
  return Buffer.from(`${acquiredAt} ${id}`).toString('base64url');
}

function toPlace(next: string): ScenePlace {
  const [acquiredAt = '', id = '', ...rest] = Buffer.from(next, 'base64url')
    .toString('utf8')
    .split(' ');
  if (Number.isNaN(Date.parse(acquiredAt)) || id === '' || rest.length > 0) {
    return invalid('/next', 'This is not a cursor of a previous page.');
  }
  return { acquiredAt, id };
}
